// How etcd runs inside this process: on Unix sockets in the current directory, with throw-away data.

package main

import (
	"context"
	"errors"
	"net/url"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
)

const (
	// etcdEndpoint is what kube-apiserver dials. A socket in a 0700 directory needs neither a port nor a password.
	etcdEndpoint = "unix://etcd-client.sock"
	etcdPeers    = "unix://etcd-peer.sock"
	etcdData     = "etcd"
	// etcdAdvertised is never dialled: there is one member. etcd wants an address with a host nevertheless.
	etcdAdvertised = "http://127.0.0.1:2380"
)

type etcd struct {
	server *embed.Etcd
	client *clientv3.Client
}

func startEtcd(ctx context.Context) (*etcd, error) {
	config := embed.NewConfig()
	config.Name = "controlplane"
	config.Dir = etcdData
	config.LogLevel = "warn"
	config.LogOutputs = []string{"stderr"}
	config.UnsafeNoFsync = true // the data does not outlive the run
	config.ListenClientUrls = []url.URL{mustURL(etcdEndpoint)}
	config.ListenPeerUrls = []url.URL{mustURL(etcdPeers)}
	config.AdvertiseClientUrls = []url.URL{mustURL(etcdAdvertised)}
	config.AdvertisePeerUrls = []url.URL{mustURL(etcdAdvertised)}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-server.Server.ReadyNotify():
		return &etcd{server, v3client.New(server.Server)}, nil
	case err := <-server.Err():
		return nil, err
	case <-ctx.Done():
		return nil, errors.New("it is not ready within the start-up bound")
	}
}

// compact forgets every revision before now, so that a `continue` token given earlier is answered 410. Returns the
// revision kept: one of its own, because a token of the current revision would stay good.
func (e *etcd) compact(ctx context.Context) (int64, error) {
	put, err := e.client.Put(ctx, "controlplane/compacted", "") // outside of /registry, where the API server's keys are
	if err != nil {
		return 0, err
	}
	_, err = e.client.Compact(ctx, put.Header.Revision, clientv3.WithCompactPhysical())
	return put.Header.Revision, err
}

// get gives the pairs below a prefix; as JSON they are what etcdctl prints of them.
func (e *etcd) get(ctx context.Context, prefix string) (*clientv3.GetResponse, error) {
	return e.client.Get(ctx, prefix, clientv3.WithPrefix())
}

// Close stops the server.
func (e *etcd) Close() error {
	_ = e.client.Close()
	e.server.Close()
	return nil
}

func mustURL(text string) url.URL {
	parsed, err := url.Parse(text)
	if err != nil {
		panic(err) // a constant of this file
	}
	return *parsed
}
