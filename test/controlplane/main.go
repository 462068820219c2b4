// Which parts make up the control plane, in which order they start, and when they stop.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// stopBound is how long a graceful stop may take; afterwards leaving the process ends whatever is left.
const stopBound = 10 * time.Second

func main() {
	dir := flag.String("dir", "", "directory for keys, tokens, data and the log, new for every run; made if absent (required)")
	backends := flag.String("backends", "", "JSON file that says where the stub kubelet forwards to (default DIR/backends.json)")
	timeout := flag.Duration("timeout", 90*time.Second, "bound on the start-up")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: controlplane --dir DIR [--backends FILE] [--timeout DURATION]")
		os.Exit(2)
	}
	streams, err := enter(*dir, *backends)
	if err != nil {
		fmt.Fprintf(os.Stderr, "controlplane: %v\n", err)
		os.Exit(1)
	}
	if err := run(streams, *timeout); err != nil {
		fmt.Fprintf(streams.errors, "controlplane: %v; the log is %s\n", err, filepath.Join(streams.dir, logName))
		os.Exit(1)
	}
}

// run starts everything, announces it, and returns when it has been asked to stop. An error is a failed start, or
// an API server that ended by itself.
func run(at place, timeout time.Duration) error {
	deadline, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	people, err := makeCredentials(at.dir)
	if err != nil {
		return fmt.Errorf("making keys and tokens: %w", err)
	}
	store, err := startEtcd(deadline)
	if err != nil {
		return fmt.Errorf("starting etcd: %w", err)
	}
	kubelet, err := startKubelet(at.backends)
	if err != nil {
		return fmt.Errorf("starting the stub kubelet: %w", err)
	}
	control, err := startControl(store)
	if err != nil {
		return fmt.Errorf("starting the control endpoint: %w", err)
	}
	api, err := startAPIServer()
	if err != nil {
		return fmt.Errorf("starting kube-apiserver: %w", err)
	}
	go stopWhenClosed(os.Stdin, api.stop)
	if err := api.waitReady(deadline, people.tokens[adminUser]); err != nil {
		return fmt.Errorf("waiting for kube-apiserver: %w", err)
	}
	if err := writeKubeconfig(api.url, people); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	if err := announce(at, people, api, kubelet, control); err != nil {
		return fmt.Errorf("announcing on stdout: %w", err)
	}
	<-api.stopping
	return stopAll(stopBound, api.ended, kubelet, control, store)
}

// stopWhenClosed asks for a stop as soon as the input ends, so that a parent that dies leaves nothing behind.
func stopWhenClosed(input io.Reader, stop func()) {
	_, _ = io.Copy(io.Discard, input)
	stop()
}

// stopAll ends the parts in the order of who needs whom, and gives up on grace (not on ending) after the bound.
func stopAll(bound time.Duration, apiEnded <-chan error, parts ...io.Closer) error {
	done := make(chan error, 1)
	go func() {
		err := <-apiEnded
		for _, part := range parts {
			_ = part.Close()
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(bound):
		return nil
	}
}

// announcement is the one line on stdout. README.md documents its fields.
type announcement struct {
	Server      string            `json:"server"`
	CAFile      string            `json:"caFile"`
	KubeletPort int               `json:"kubeletPort"`
	AdminToken  string            `json:"adminToken"`
	Tokens      map[string]string `json:"tokens"`
	Certificate certificateUser   `json:"certificate"`
	Kubeconfig  string            `json:"kubeconfig"`
	Backends    string            `json:"backends"`
	Control     string            `json:"control"`
	Log         string            `json:"log"`
	PID         int               `json:"pid"`
}

type certificateUser struct {
	User     string `json:"user"`
	CertFile string `json:"certFile"`
	KeyFile  string `json:"keyFile"`
}

func announce(at place, people credentials, api *apiServer, kubelet, control *loopbackServer) error {
	return json.NewEncoder(at.answers).Encode(announcement{
		Server:      api.url,
		CAFile:      filepath.Join(at.dir, caCert),
		KubeletPort: kubelet.port,
		AdminToken:  people.tokens[adminUser],
		Tokens:      people.tokens,
		Certificate: certificateUser{
			User:     certUser,
			CertFile: filepath.Join(at.dir, userCert),
			KeyFile:  filepath.Join(at.dir, userKey),
		},
		Kubeconfig: filepath.Join(at.dir, kubeconfigName),
		Backends:   at.backends,
		Control:    fmt.Sprintf("http://127.0.0.1:%d", control.port),
		Log:        filepath.Join(at.dir, logName),
		PID:        os.Getpid(),
	})
}
