// What the table of backends may say, and what the stub kubelet makes of it.

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestParseBackends(t *testing.T) {
	for name, test := range map[string]struct{ content, wrong string }{
		"an address":        {`{"a/b": {"15000": "127.0.0.1:80"}}`, ""},
		"an IPv6 address":   {`{"a/b": {"15000": "[::1]:80"}}`, ""},
		"refuse and hang":   {`{"a/b": {"1": "refuse", "65535": "hang"}}`, ""},
		"a pod by itself":   {`{"a/b": {}}`, ""},
		"null":              {`null`, ""},
		"another machine":   {`{"a/b": {"15000": "192.0.2.1:80"}}`, `a/b: port 15000: "192.0.2.1:80" is neither`},
		"a name":            {`{"a/b": {"15000": "localhost:80"}}`, "is neither"},
		"no port":           {`{"a/b": {"15000": "127.0.0.1"}}`, "is neither"},
		"port 0":            {`{"a/b": {"0": "hang"}}`, `"0" is no port number`},
		"port 65536":        {`{"a/b": {"65536": "hang"}}`, `"65536" is no port number`},
		"a port by name":    {`{"a/b": {"http": "hang"}}`, `"http" is no port number`},
		"a list":            {`[]`, "no JSON object"},
		"half a file":       {`{"a/b": {"15000": `, "no JSON object"},
		"a number for text": {`{"a/b": {"15000": 80}}`, "no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseBackends([]byte(test.content))
			if test.wrong == "" && err != nil {
				t.Fatalf("refused: %v", err)
			}
			if test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)) {
				t.Fatalf("got %v, want an error with %q", err, test.wrong)
			}
		})
	}
}

func TestReadBackendsWithoutFile(t *testing.T) {
	table, err := readBackends(filepath.Join(t.TempDir(), "none.json"))
	if err != nil || len(table) != 0 {
		t.Fatalf("got %v, %v; want an empty table", table, err)
	}
}

func TestReadBackendsReadsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "backends.json")
	for _, backend := range []string{hang, refuse} {
		if err := os.WriteFile(path, []byte(`{"a/b": {"1": "`+backend+`"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := readBackends(path)
		if err != nil || table["a/b"].backend(1) != backend {
			t.Fatalf("got %v, %v; want %s", table, err, backend)
		}
	}
}

func TestPortForwardRefuses(t *testing.T) {
	for name, ports := range map[string]podPorts{"told to": {"15000": refuse}, "port not mentioned": {"1": hang}} {
		t.Run(name, func(t *testing.T) {
			mine, theirs := net.Pipe()
			_ = theirs.Close()
			err := ports.PortForward(context.Background(), "pod", "", 15000, mine)
			if !errors.Is(err, syscall.ECONNREFUSED) {
				t.Fatalf("got %v, want a refused connection", err)
			}
			want := "failed to connect to localhost:15000 inside namespace, IPv4: dial tcp 127.0.0.1:"
			if !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), ": connect: connection refused") {
				t.Fatalf("got %q", err)
			}
		})
	}
}

func TestPortForwardHangsUntilTheClientLeaves(t *testing.T) {
	mine, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- podPorts{"15000": hang}.PortForward(context.Background(), "pod", "", 15000, theirs)
		_ = theirs.Close()
	}()
	if _, err := mine.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended with %v while the client was there", err)
	default:
	}
	_ = mine.Close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestPortForwardCarriesBothWays(t *testing.T) {
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	go func() { // answers "pong" to "ping" and hangs up
		conn, err := backend.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if _, err := io.ReadFull(conn, make([]byte, 4)); err == nil {
			_, _ = conn.Write([]byte("pong"))
		}
	}()
	mine, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		_ = podPorts{"80": backend.Addr().String()}.PortForward(context.Background(), "pod", "", 80, theirs)
	}()
	if _, err := mine.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(mine)
	if err != nil || string(answer) != "pong" {
		t.Fatalf("got %q, %v", answer, err)
	}
}
