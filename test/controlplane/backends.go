// Where a pod's ports lead: the table that the suite writes and the stub kubelet obeys.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// What a port may be besides the address of a backend.
const (
	refuse = "refuse" // nothing listens there
	hang   = "hang"   // the connection is taken and nothing is ever answered
)

// podPorts is one pod's row: port number → "127.0.0.1:PORT", refuse or hang.
type podPorts map[string]string

// backend is what the port leads to. On a pod that exists, nothing listens on the ports that no one mentions.
func (ports podPorts) backend(port int32) string {
	if backend, ok := ports[strconv.Itoa(int(port))]; ok {
		return backend
	}
	return refuse
}

// readBackends reads the table: "namespace/pod" → its ports. A file that is not there is an empty table.
func readBackends(path string) (map[string]podPorts, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseBackends(content)
}

func parseBackends(content []byte) (map[string]podPorts, error) {
	var table map[string]podPorts
	if err := json.Unmarshal(content, &table); err != nil {
		return nil, fmt.Errorf("the backends are no JSON object of objects of strings: %w", err)
	}
	for pod, ports := range table {
		for port, backend := range ports {
			if err := checkBackend(port, backend); err != nil {
				return nil, fmt.Errorf("backend of %s: %w", pod, err)
			}
		}
	}
	return table, nil
}

// checkBackend refuses addresses beyond this machine: tests talk to loopback only.
func checkBackend(port, backend string) error {
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return fmt.Errorf("%q is no port number", port)
	}
	if backend == refuse || backend == hang {
		return nil
	}
	address, err := netip.ParseAddrPort(backend)
	if err != nil || !address.Addr().IsLoopback() {
		return fmt.Errorf("port %s: %q is neither %q, %q nor a loopback address with a port", port, backend, refuse, hang)
	}
	return nil
}

// closedPort is an address at which connections are refused until release is called: a socket that is bound, so that
// no one else gets the port, and does not listen.
func closedPort() (address string, release func(), err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return "", nil, err
	}
	release = func() { _ = unix.Close(fd) }
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		release()
		return "", nil, err
	}
	bound, err := unix.Getsockname(fd)
	if err != nil {
		release()
		return "", nil, err
	}
	return fmt.Sprintf("127.0.0.1:%d", bound.(*unix.SockaddrInet4).Port), release, nil
}
