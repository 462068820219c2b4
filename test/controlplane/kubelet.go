// What a kubelet answers to port-forward: the kubelet's own protocol code in front of a table of backends.

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
)

const (
	// The kubelet's own defaults are 4 h and 30 s; a test that needs longer than this is stuck.
	idleBound     = 5 * time.Minute
	creationBound = 30 * time.Second
	dialBound     = 5 * time.Second
	// lingerBound is how long the backend may go on after the client has gone. containerd gives it one second.
	lingerBound = time.Second
)

// startKubelet serves on a free loopback port, to clients with a certificate of this run's authority only.
func startKubelet(backends string) (*loopbackServer, error) {
	certificate, err := tls.LoadX509KeyPair(kubeletCert, kubeletKey)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(caCert)
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(ca)
	return serveLoopback(kubeletHandler(backends), &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
		NextProtos:   []string{"http/1.1"}, // SPDY and WebSockets are upgrades, which HTTP/2 does not have
	})
}

func kubeletHandler(backends string) http.Handler {
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, r *http.Request) { servePortForward(w, r, backends) }
	mux.HandleFunc("/portForward/{namespace}/{pod}", answer)
	mux.HandleFunc("/portForward/{namespace}/{pod}/{uid}", answer)
	return mux
}

// servePortForward reads the table anew for every connection, so that the suite can change it at any time.
func servePortForward(w http.ResponseWriter, r *http.Request, backends string) {
	options, err := portforward.NewV4Options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	table, err := readBackends(backends)
	if err != nil {
		klog.ErrorS(err, "reading the backends", "file", backends)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	ports, known := table[r.PathValue("namespace")+"/"+r.PathValue("pod")]
	if !known {
		http.Error(w, "pod does not exist", http.StatusNotFound) // the kubelet's words
		return
	}
	portforward.ServePortForward(w, r, ports, r.PathValue("pod"), types.UID(r.PathValue("uid")), options,
		idleBound, creationBound, portforward.SupportedProtocols)
}

// PortForward connects one forwarded stream to what the table says. The text of an error reaches the client on the
// error channel, after "error forwarding port … to pod …".
func (ports podPorts) PortForward(ctx context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	backend := ports.backend(port)
	if backend == hang {
		_, _ = io.Copy(io.Discard, stream) // until the client gives up
		return nil
	}
	if backend == refuse {
		address, release, err := closedPort()
		if err != nil {
			return err
		}
		defer release()
		backend = address
	}
	conn, err := (&net.Dialer{Timeout: dialBound}).DialContext(ctx, "tcp", backend)
	if err != nil {
		// Worded as containerd does, whose text it is that clients see on a real node.
		return fmt.Errorf("failed to connect to localhost:%d inside namespace, IPv4: %w", port, err)
	}
	defer conn.Close()
	return pipe(stream, conn.(*net.TCPConn))
}

// pipe copies both ways until the backend has said everything, or lingerBound after the client has gone.
func pipe(client io.ReadWriter, backend *net.TCPConn) error {
	answered := make(chan error, 1)
	gone := make(chan struct{})
	go func() {
		_, err := io.Copy(client, backend)
		answered <- err
	}()
	go func() {
		_, _ = io.Copy(backend, client)
		_ = backend.CloseWrite()
		close(gone)
	}()
	select {
	case err := <-answered:
		return err
	case <-gone:
	}
	select {
	case err := <-answered:
		return err
	case <-time.After(lingerBound):
		return nil
	}
}
