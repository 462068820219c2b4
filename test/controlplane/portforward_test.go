// What port-forward through the API server to the stub kubelet does, and which rights it asks for.

package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// forward opens one port as kubectl's WebSocket clients do: v4.channel.k8s.io, data on channel 0, errors on 1.
func forward(t *testing.T, p *process, user, pod string, port int) (*websocket.Conn, answer) {
	t.Helper()
	dialer := websocket.Dialer{TLSClientConfig: p.tls, Subprotocols: []string{"v4.channel.k8s.io"}}
	url := "wss" + strings.TrimPrefix(p.Server, "https") + pods + "/" + pod + "/portforward?ports=" + strconv.Itoa(port)
	conn, response, err := dialer.Dial(url, http.Header{"Authorization": {"Bearer " + p.Tokens[user]}})
	if err == nil {
		t.Cleanup(func() { _ = conn.Close() })
		return conn, answer{code: response.StatusCode}
	}
	if response == nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	return nil, answer{response.StatusCode, response.Header.Get("Content-Type"), body}
}

// exchange sends text and returns what comes on the two channels until the server closes, port bytes taken off.
func exchange(t *testing.T, conn *websocket.Conn, text string) (data, errors string) {
	t.Helper()
	_ = conn.WriteMessage(websocket.BinaryMessage, append([]byte{0}, text...))
	var channels [2]bytes.Buffer
	for {
		_, frame, err := conn.ReadMessage()
		if err != nil {
			break
		}
		channels[frame[0]].Write(frame[1:])
	}
	if channels[0].Len() < 2 || channels[1].Len() < 2 {
		t.Fatalf("the port bytes are missing: %q, %q", channels[0].String(), channels[1].String())
	}
	return channels[0].String()[2:], channels[1].String()[2:]
}

func portForwards(t *testing.T, p *process) {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "you asked for %s", r.URL.Path)
	}))
	defer backend.Close()
	table := fmt.Sprintf(`{"mesh/ztunnel-1": {"15000": %q}, "mesh/ztunnel-2": {"15000": "refuse", "15021": "hang"}}`, backend.Listener.Addr())
	if err := os.WriteFile(p.Backends, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	const request = "GET /config_dump HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	t.Run("reaches the backend", func(t *testing.T) {
		conn, refused := forward(t, p, adminUser, "ztunnel-1", 15000)
		if conn == nil {
			t.Fatalf("%d %s", refused.code, refused.body)
		}
		data, errors := exchange(t, conn, request)
		if !strings.HasPrefix(data, "HTTP/1.1 200 OK") || !strings.HasSuffix(data, "you asked for /config_dump") || errors != "" {
			t.Errorf("data %q, errors %q", data, errors)
		}
	})
	t.Run("a refused connection", func(t *testing.T) {
		conn, refused := forward(t, p, adminUser, "ztunnel-2", 15000)
		if conn == nil {
			t.Fatalf("%d %s", refused.code, refused.body)
		}
		data, errors := exchange(t, conn, request)
		if data != "" || !strings.HasPrefix(errors, "error forwarding port 15000 to pod ztunnel-2, uid : ") || !strings.HasSuffix(errors, "connect: connection refused") {
			t.Errorf("data %q, errors %q", data, errors)
		}
	})
	t.Run("a pod that the kubelet does not know", func(t *testing.T) {
		conn, refused := forward(t, p, adminUser, "unknown", 15000)
		if conn != nil || refused.code != 404 || !strings.Contains(string(refused.body), "pod does not exist") {
			t.Errorf("%d %s", refused.code, refused.body)
		}
	})
	t.Run("a pod that the API server does not know", func(t *testing.T) {
		conn, refused := forward(t, p, adminUser, "absent", 15000)
		if conn != nil || refused.code != 404 || refused.field(t, "message") != `pods "absent" not found` {
			t.Errorf("%d %s", refused.code, refused.body)
		}
	})
}

// portForwardVerbs pins what Kubernetes 1.35 authorizes for a WebSocket: `get` for the request, as it always did, and
// then `create` as well. The second refusal says neither user nor verb.
func portForwardVerbs(t *testing.T, p *process) {
	const cannotGet = `pods "ztunnel-1" is forbidden: User %q cannot get resource "pods/portforward" in API group "" in the namespace "mesh"`
	for _, test := range []struct {
		user  string
		verbs []string
		code  int
		why   string
	}{
		{"stranger", nil, 403, fmt.Sprintf(cannotGet, "stranger")},
		{"getforward", []string{"get"}, 403, `pods "ztunnel-1" is forbidden: `},
		{"noforward", []string{"create"}, 403, fmt.Sprintf(cannotGet, "noforward")},
		{"reader", []string{"get", "create"}, 101, ""},
	} {
		t.Run(test.user, func(t *testing.T) {
			grantForward(t, p, test.user, test.verbs)
			_, got := forward(t, p, test.user, "ztunnel-1", 15000)
			if got.code != test.code {
				t.Fatalf("%d %s", got.code, got.body)
			}
			if test.why != "" && got.field(t, "message") != test.why {
				t.Errorf("got %s, want %s", got.body, test.why)
			}
		})
	}
}

// grantForward binds a role and waits, within a bound, until the authorizer has heard of it.
func grantForward(t *testing.T, p *process, user string, verbs []string) {
	t.Helper()
	const rbac = "/apis/rbac.authorization.k8s.io/v1/"
	for _, verb := range verbs {
		name := user + "-" + verb
		p.must(t, "POST", rbac+"clusterroles", fmt.Sprintf(`{"metadata": {"name": %q},
			"rules": [{"apiGroups": [""], "resources": ["pods/portforward"], "verbs": [%q]}]}`, name, verb))
		p.must(t, "POST", rbac+"clusterrolebindings", fmt.Sprintf(`{"metadata": {"name": %q},
			"subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": %q}],
			"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": %q}}`, name, user, name))
		review := fmt.Sprintf(`{"spec": {"user": %q, "resourceAttributes":
			{"namespace": "mesh", "verb": %q, "resource": "pods", "subresource": "portforward"}}}`, user, verb)
		for tries := 0; p.must(t, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review).field(t, "status", "allowed") != true; tries++ {
			if tries == 100 {
				t.Fatalf("%s was never allowed to %s", user, verb)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func kubeletIsClosed(t *testing.T, p *process) {
	conn, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.KubeletPort), p.tls)
	if err == nil {
		_, err = conn.Read(make([]byte, 1)) // with TLS 1.3 the refusal comes after the client's handshake
	}
	if err == nil || !strings.Contains(err.Error(), "certificate required") {
		t.Errorf("got %v", err)
	}
}
