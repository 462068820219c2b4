// What the suite can make happen that the API has no request for.

package main

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"time"

	"k8s.io/klog/v2"
)

// startControl serves plain HTTP on a free loopback port. POST /compact answers {"revision": N},
// GET /etcd?prefix=KEY what etcdctl get --prefix -w json prints.
func startControl(store *etcd) (*loopbackServer, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /compact", func(w http.ResponseWriter, r *http.Request) {
		revision, err := store.compact(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]int64{"revision": revision})
	})
	mux.HandleFunc("GET /etcd", func(w http.ResponseWriter, r *http.Request) {
		pairs, err := store.get(r.Context(), r.URL.Query().Get("prefix"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(pairs)
	})
	return serveLoopback(mux, nil)
}

// loopbackServer is an HTTP server on a port that the kernel chose.
type loopbackServer struct {
	port   int
	server *http.Server
}

// serveLoopback serves in the background, with TLS if a configuration is given.
func serveLoopback(handler http.Handler, config *tls.Config) (*loopbackServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); err != http.ErrServerClosed {
			klog.ErrorS(err, "serving on loopback", "port", port)
		}
	}()
	return &loopbackServer{port, server}, nil
}

// Close ends the listener and its connections, forwarded ones excepted: those end with the process.
func (s *loopbackServer) Close() error {
	return s.server.Close()
}
