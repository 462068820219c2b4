// Which objects the API server keeps, in which encodings, and for how long a list can be continued.

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
)

const pods = "/api/v1/namespaces/mesh/pods"

// seed makes a namespace, a node whose kubelet is the stub's, and three pods on it.
func seed(t *testing.T, p *process) {
	p.must(t, "POST", "/api/v1/namespaces", `{"metadata": {"name": "mesh"}}`)
	p.must(t, "POST", "/api/v1/nodes", `{"metadata": {"name": "node-a"}}`)
	p.must(t, "PATCH", "/api/v1/nodes/node-a/status", fmt.Sprintf(`{"status": {
		"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
		"daemonEndpoints": {"kubeletEndpoint": {"Port": %d}}}}`, p.KubeletPort))
	for _, name := range []string{"ztunnel-1", "ztunnel-2", "unknown"} {
		p.must(t, "POST", pods, `{"metadata": {"name": "`+name+`"}, "spec": {"nodeName": "node-a",
			"serviceAccountName": "ztunnel", "priorityClassName": "system-node-critical",
			"containers": [{"name": "c", "image": "i", "securityContext": {"privileged": true}}]}}`)
		p.must(t, "PATCH", pods+"/"+name+"/status", `{"status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}], "podIP": "10.0.0.1"}}`)
	}
}

func bothEncodings(t *testing.T, p *process) {
	asJSON := p.ask(t, adminUser, "GET", pods, "")
	items, _ := asJSON.field(t, "items").([]any)
	if asJSON.contentType != "application/json" || len(items) != 3 {
		t.Errorf("%s with %d items", asJSON.contentType, len(items))
	}
	const protobuf = "application/vnd.kubernetes.protobuf"
	binary := p.ask(t, adminUser, "GET", pods, "", "Accept", protobuf)
	if binary.contentType != protobuf || !bytes.HasPrefix(binary.body, []byte("k8s\x00")) || !bytes.Contains(binary.body, []byte("ztunnel-2")) {
		t.Errorf("%s: %.40q", binary.contentType, binary.body)
	}
}

func otherKinds(t *testing.T, p *process) {
	spec := `"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}`
	job := `"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}`
	for _, kind := range []struct{ path, body string }{
		{"/apis/apps/v1/namespaces/mesh/deployments", `{"metadata": {"name": "x"}, "spec": {` + spec + `}}`},
		{"/apis/apps/v1/namespaces/mesh/replicasets", `{"metadata": {"name": "x"}, "spec": {` + spec + `}}`},
		{"/apis/apps/v1/namespaces/mesh/daemonsets", `{"metadata": {"name": "x"}, "spec": {` + spec + `}}`},
		{"/apis/apps/v1/namespaces/mesh/statefulsets", `{"metadata": {"name": "x"}, "spec": {"serviceName": "x", ` + spec + `}}`},
		{"/apis/batch/v1/namespaces/mesh/jobs", `{"metadata": {"name": "x"}, "spec": {` + job + `}}`},
		{"/apis/batch/v1/namespaces/mesh/cronjobs", `{"metadata": {"name": "x"}, "spec": {"schedule": "@daily", "jobTemplate": {"spec": {` + job + `}}}}`},
		{"/apis/coordination.k8s.io/v1/namespaces/mesh/leases", `{"metadata": {"name": "x"}, "spec": {"holderIdentity": "h"}}`},
		{"/apis/coordination.k8s.io/v1beta1/namespaces/mesh/leasecandidates", `{"metadata": {"name": "x"}, "spec": {"leaseName": "l", "binaryVersion": "1.0.0", "emulationVersion": "1.0.0", "strategy": "OldestEmulationVersion"}}`},
		{"/apis/coordination.k8s.io/v1alpha2/namespaces/mesh/leasecandidates", `{"metadata": {"name": "y"}, "spec": {"leaseName": "l", "binaryVersion": "1.0.0", "emulationVersion": "1.0.0", "strategy": "OldestEmulationVersion"}}`},
		{"/api/v1/namespaces/mesh/serviceaccounts", `{"metadata": {"name": "x"}}`},
		{"/api/v1/namespaces/mesh/serviceaccounts/x/token", `{"spec": {"expirationSeconds": 600}}`},
		{"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", `{"metadata": {"name": "serviceentries.networking.istio.io"}, "spec": {
			"group": "networking.istio.io", "scope": "Namespaced", "names": {"plural": "serviceentries", "kind": "ServiceEntry"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}`},
	} {
		p.must(t, "POST", kind.path, kind.body)
	}
}

func expiredContinue(t *testing.T, p *process) {
	first := p.must(t, "GET", pods+"?limit=1", "")
	token, _ := first.field(t, "metadata", "continue").(string)
	next := pods + "?limit=1&continue=" + token
	if got := p.ask(t, adminUser, "GET", next, ""); got.code != 200 {
		t.Fatalf("a fresh token: %d %s", got.code, got.body)
	}
	request, err := http.NewRequest(http.MethodPost, p.Control+"/compact", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := send(t, nil, request); got.code != 200 || got.field(t, "revision").(float64) < 2 {
		t.Fatalf("%d %s", got.code, got.body)
	}
	if got := p.ask(t, adminUser, "GET", next, ""); got.code != 410 || got.field(t, "reason") != "Expired" {
		t.Errorf("an expired token: %d %s", got.code, got.body)
	}
	if got := p.ask(t, adminUser, "GET", pods+"?limit=1", ""); got.code != 200 {
		t.Errorf("starting over: %d %s", got.code, got.body)
	}
}
