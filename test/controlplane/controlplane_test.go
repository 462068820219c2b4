// How the control plane starts and stops, and the order of what is asked of it in between.

package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestControlPlane(t *testing.T) {
	p := start(t)
	t.Run("every file is private", func(t *testing.T) { filesArePrivate(t, p) })
	t.Run("each user logs in", func(t *testing.T) { usersAreKnown(t, p) })
	t.Run("only admin has rights", func(t *testing.T) { onlyAdminHasRights(t, p) })
	t.Run("admin impersonates", func(t *testing.T) { adminImpersonates(t, p) })
	seed(t, p)
	t.Run("lists come as JSON and as protobuf", func(t *testing.T) { bothEncodings(t, p) })
	t.Run("other kinds", func(t *testing.T) { otherKinds(t, p) })
	t.Run("port-forward", func(t *testing.T) { portForwards(t, p) })
	t.Run("verbs that port-forward asks for", func(t *testing.T) { portForwardVerbs(t, p) })
	t.Run("the kubelet wants a client certificate", func(t *testing.T) { kubeletIsClosed(t, p) })
	t.Run("an expired continue token", func(t *testing.T) { expiredContinue(t, p) })
	// A forward that never ends by itself must not keep the process.
	if conn, refused := forward(t, p, adminUser, "ztunnel-2", 15021); conn == nil {
		t.Errorf("%d %s", refused.code, refused.body)
	}
	_ = p.stdin.Close()
	leavesNothing(t, p)
}

func TestStartIsBounded(t *testing.T) {
	output, err := program(t.TempDir(), "--timeout=1ms").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "it is not ready within the start-up bound") {
		t.Errorf("got %v, %s", err, output)
	}
}

func TestStopIsBounded(t *testing.T) {
	if err := stopAll(time.Millisecond, make(chan error)); err != nil { // an API server that never ends
		t.Error(err)
	}
}

func TestRefusesADirectoryOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, etcdData), 0o700); err != nil {
		t.Fatal(err)
	}
	output, err := program(dir).CombinedOutput()
	if err == nil || !strings.Contains(string(output), "holds the data of an earlier run; give an empty directory") {
		t.Errorf("got %v, %s", err, output)
	}
}

func TestStopsOnSIGTERM(t *testing.T) {
	p := start(t)
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	leavesNothing(t, p)
}

// leavesNothing expects a clean exit, no second line on stdout, and no listener.
func leavesNothing(t *testing.T, p *process) {
	t.Helper()
	rest, _ := io.ReadAll(p.stdout)
	if len(rest) > 0 {
		t.Errorf("stdout has more than one line: %q", rest)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	addresses := []string{
		strings.TrimPrefix(p.Server, "https://"),
		strings.TrimPrefix(p.Control, "http://"),
		fmt.Sprintf("127.0.0.1:%d", p.KubeletPort),
	}
	for _, address := range addresses {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			t.Errorf("%s still listens", address)
		}
	}
	for _, socket := range []string{etcdEndpoint, etcdPeers} {
		if conn, err := net.Dial("unix", filepath.Join(p.dir, strings.TrimPrefix(socket, "unix://"))); err == nil {
			_ = conn.Close()
			t.Errorf("%s still listens", socket)
		}
	}
}

func filesArePrivate(t *testing.T, p *process) {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		// t.TempDir's own mode is not ours; sockets have the mode that etcd gives them and lie beside these files.
		if info.Mode()&fs.ModeSocket == 0 && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", entry.Name(), info.Mode())
		}
	}
}
