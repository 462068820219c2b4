// How kube-apiserver is told to run, and told to stop.

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// apiServerFlags, apart from the port.
var apiServerFlags = []string{
	"--bind-address=127.0.0.1",
	// Without it the server looks for a default route, which a machine without a network has not.
	"--advertise-address=127.0.0.1",
	"--etcd-servers=" + etcdEndpoint,
	"--etcd-compaction-interval=0", // only when asked for (control.go): tests must not depend on the hour
	"--tls-cert-file=" + apiServerCert,
	"--tls-private-key-file=" + apiServerKey,
	"--client-ca-file=" + caCert,
	"--token-auth-file=" + tokensName,
	"--authorization-mode=RBAC",
	"--service-account-issuer=https://kubernetes.default.svc",
	"--service-account-key-file=" + accountKey,
	"--service-account-signing-key-file=" + accountKey,
	"--service-cluster-ip-range=10.96.0.0/24",
	"--allow-privileged=true",
	// There are no controllers: nothing makes default service accounts, untaints nodes, or registers endpoints.
	"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,NodeRestriction",
	"--endpoint-reconciler-type=none",
	"--kubelet-preferred-address-types=InternalIP",
	"--kubelet-certificate-authority=" + caCert,
	"--kubelet-client-certificate=" + kubeletClient,
	"--kubelet-client-key=" + kubeletClientK,
	"--runtime-config=coordination.k8s.io/v1beta1=true,coordination.k8s.io/v1alpha2=true",
	// With snapshots of its cache the server answers an expired `continue` token for up to 15 s more. Those of the
	// second line let pod templates keep fields that are not for everybody yet, so that there is an object of each.
	"--feature-gates=CoordinatedLeaderElection=true,ListFromCacheSnapshot=false," +
		"PodCertificateRequest=true,ClusterTrustBundle=true,ClusterTrustBundleProjection=true,GenericWorkload=true," +
		"ContainerStopSignals=true,CrossNamespaceVolumeDataSource=true,MaxUnavailableStatefulSet=true",
}

type apiServer struct {
	url      string
	stopping <-chan struct{} // closed when a stop was asked for, by signal or by stop(), or the server has ended
	ended    <-chan error    // one value: why it ended, nil if it was asked to
	stop     func()
}

func startAPIServer() (*apiServer, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	command := app.NewAPIServerCommand() // also takes SIGTERM and SIGINT over: its context ends with them
	command.SetArgs(append(apiServerFlags, "--secure-port="+strconv.Itoa(port)))
	command.SilenceErrors = true
	stopping, leave := context.WithCancel(command.Context())
	ended := make(chan error, 1)
	go func() {
		err := command.Execute()
		if err == nil && command.Context().Err() == nil {
			err = errors.New("kube-apiserver ended by itself")
		}
		ended <- err
		leave()
	}()
	return &apiServer{
		url:      fmt.Sprintf("https://127.0.0.1:%d", port),
		stopping: stopping.Done(),
		ended:    ended,
		stop:     func() { genericapiserver.RequestShutdown() },
	}, nil
}

// freePort is a port that was free a moment ago. kube-apiserver takes no listener, only a number.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}
