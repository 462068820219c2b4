// How a test starts the control plane as a process of its own, and talks to its API as one of its users.

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// asProgram makes the test binary behave as the program: it is the same code, linked once instead of twice.
const asProgram = "CONTROLPLANE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a started control plane.
type process struct {
	announcement
	command *exec.Cmd
	stdin   io.Closer
	stdout  *bufio.Reader
	dir     string
	tls     *tls.Config
}

// program is the command, not yet started.
func program(dir string, arguments ...string) *exec.Cmd {
	command := exec.Command(os.Args[0], append([]string{"--dir", dir}, arguments...)...)
	command.Env = append(os.Environ(), asProgram+"=1")
	return command
}

func start(t *testing.T) *process {
	t.Helper()
	dir := t.TempDir()
	command := program(dir)
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	p := &process{command: command, stdin: stdin, stdout: bufio.NewReader(stdout), dir: dir}
	line, err := p.stdout.ReadBytes('\n')
	if err != nil {
		_ = command.Wait()
		log, _ := os.ReadFile(dir + "/" + logName)
		t.Fatalf("no announcement (%v): %s\n%s", err, stderr.String(), log[max(0, len(log)-4000):])
	}
	if err := json.Unmarshal(line, &p.announcement); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	ca, err := os.ReadFile(p.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	p.tls = &tls.Config{RootCAs: pool}
	return p
}

// wait returns the exit code.
func (p *process) wait() int {
	_ = p.command.Wait()
	return p.command.ProcessState.ExitCode()
}

type answer struct {
	code        int
	contentType string
	body        []byte
}

// field reads one value out of a JSON answer by its path of keys.
func (a answer) field(t *testing.T, path ...string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		t.Fatalf("%d %s: %v", a.code, a.body, err)
	}
	for _, key := range path {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

// ask sends one request with a user's token (a user without one sends the name); a body is JSON, for PATCH a merge patch.
func (p *process) ask(t *testing.T, user, method, path, body string, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequest(method, p.Server+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+or(p.Tokens[user], user))
	request.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[method == http.MethodPatch])
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	return send(t, p.tls, request)
}

func send(t *testing.T, config *tls.Config, request *http.Request) answer {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: config}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport, Timeout: 30 * time.Second}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header.Get("Content-Type"), body}
}

// must asks as admin and fails the test on any answer but a 2xx.
func (p *process) must(t *testing.T, method, path, body string) answer {
	t.Helper()
	got := p.ask(t, adminUser, method, path, body)
	if got.code/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, got.code, got.body)
	}
	return got
}

// or is the text, or another one where there is none.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
