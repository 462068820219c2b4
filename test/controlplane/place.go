// Where the process lives: its directory, its log, and the two streams that its parent reads.

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const logName = "log"

// place is the directory the process has moved into, and what is left of the parent's streams.
type place struct {
	dir      string   // absolute
	backends string   // absolute
	answers  *os.File // the parent's stdout: one line is written to it
	errors   *os.File // the parent's stderr: why a start failed
}

// enter makes the directory and moves into it, because the path of a Unix socket may have about 100 bytes only,
// which a temporary directory easily exceeds. Descriptors 1 and 2 become the log: etcd, kube-apiserver and Go's
// own crash report all write there, and only `answers` reaches the parent's stdout.
func enter(dir, backends string) (place, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return place{}, err
	}
	if backends == "" {
		backends = filepath.Join(absolute, "backends.json")
	}
	table, err := filepath.Abs(backends)
	if err != nil {
		return place{}, err
	}
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return place{}, err
	}
	if err := os.Chdir(absolute); err != nil {
		return place{}, err
	}
	if _, err := os.Lstat(etcdData); err == nil {
		return place{}, fmt.Errorf("%s holds the data of an earlier run; give an empty directory", absolute)
	}
	answers, errors, err := redirect(logName)
	if err != nil {
		return place{}, fmt.Errorf("opening the log: %w", err)
	}
	return place{dir: absolute, backends: table, answers: answers, errors: errors}, nil
}

// redirect sends descriptors 1 and 2 to a file and returns what they were before.
func redirect(path string) (stdout, stderr *os.File, err error) {
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	var kept [2]*os.File
	for i, name := range []string{"stdout", "stderr"} {
		fd, err := unix.FcntlInt(uintptr(i+1), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			return nil, nil, err
		}
		kept[i] = os.NewFile(uintptr(fd), name)
		if err := unix.Dup2(int(log.Fd()), i+1); err != nil {
			return nil, nil, err
		}
	}
	return kept[0], kept[1], nil
}
