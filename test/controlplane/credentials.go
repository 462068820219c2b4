// Who may log in to the control plane, and the files that let them.

package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Files in the directory, all readable by their owner only.
const (
	caCert         = "ca.crt"
	caKey          = "ca.key"
	apiServerCert  = "apiserver.crt"
	apiServerKey   = "apiserver.key"
	kubeletCert    = "kubelet.crt"
	kubeletKey     = "kubelet.key"
	kubeletClient  = "kubelet-client.crt"
	kubeletClientK = "kubelet-client.key"
	userCert       = "user.crt"
	userKey        = "user.key"
	accountKey     = "service-account.key"
	tokensName     = "tokens.csv"
	kubeconfigName = "kubeconfig"
)

const (
	adminUser = "admin"
	certUser  = "certificate"
)

// tokenUsers are the users that log in with a bearer token, and their groups. Only admin may do anything before
// roles are bound; the other names say which rights the suite gives them.
var tokenUsers = map[string][]string{
	adminUser:      {"system:masters"},
	"reader":       nil, // the ClusterRole that README prints
	"noforward":    nil, // may list, may not forward
	"getforward":   nil, // `get` on pods/portforward only, which was enough before Kubernetes 1.35
	"nolist":       nil, // may forward, may not list
	"namespaced":   nil, // rights in one namespace
	"impersonator": nil, // may impersonate, and nothing else
	"stranger":     nil, // never any right
}

type credentials struct {
	tokens map[string]string // user name → bearer token
}

// makeCredentials writes keys, certificates and the token file into the current directory. dir only appears in errors.
func makeCredentials(dir string) (credentials, error) {
	if err := makeCertificates(); err != nil {
		return credentials{}, fmt.Errorf("in %s: %w", dir, err)
	}
	tokens := make(map[string]string, len(tokenUsers))
	var lines strings.Builder
	for _, user := range tokenUserNames() {
		tokens[user] = newToken()
		// kube-apiserver's format: token,user,uid,"group,group"
		fmt.Fprintf(&lines, "%s,%s,uid-%s,\"%s\"\n", tokens[user], user, user, strings.Join(tokenUsers[user], ","))
	}
	return credentials{tokens}, writePrivate(tokensName, []byte(lines.String()))
}

func tokenUserNames() []string {
	names := make([]string, 0, len(tokenUsers))
	for name := range tokenUsers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func newToken() string {
	bytes := make([]byte, 16)
	_, _ = rand.Read(bytes) // never fails: see crypto/rand
	return hex.EncodeToString(bytes)
}

func writePrivate(name string, content []byte) error {
	return os.WriteFile(name, content, 0o600)
}

// writeKubeconfig writes one context for each user, named as the user; admin's is the current one.
func writeKubeconfig(server string, people credentials) error {
	const cluster = "controlplane"
	ca, err := os.ReadFile(caCert)
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.Clusters[cluster] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	for user, token := range people.tokens {
		config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: token}
	}
	// Relative paths: kubectl resolves them against the kubeconfig's own directory.
	config.AuthInfos[certUser] = &clientcmdapi.AuthInfo{ClientCertificate: userCert, ClientKey: userKey}
	for user := range config.AuthInfos {
		config.Contexts[user] = &clientcmdapi.Context{Cluster: cluster, AuthInfo: user}
	}
	config.CurrentContext = adminUser
	content, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	return writePrivate(kubeconfigName, content)
}
