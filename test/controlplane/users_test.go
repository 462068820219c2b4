// Who the API server takes each login for, and what they may do before roles are bound.

package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"net/http"
	"testing"
)

const reviewSelf = `{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}`
const selfReviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews"

func usersAreKnown(t *testing.T, p *process) {
	for user := range tokenUsers {
		got := p.ask(t, user, http.MethodPost, selfReviews, reviewSelf)
		if name := got.field(t, "status", "userInfo", "username"); name != user {
			t.Errorf("token of %s logs in as %v", user, name)
		}
	}
	pair, err := tls.LoadX509KeyPair(p.Certificate.CertFile, p.Certificate.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	config := p.tls.Clone()
	config.Certificates = []tls.Certificate{pair}
	request, err := http.NewRequest(http.MethodPost, p.Server+selfReviews, bytes.NewBufferString(reviewSelf))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if name := send(t, config, request).field(t, "status", "userInfo", "username"); name != certUser {
		t.Errorf("the certificate logs in as %v", name)
	}
	if got := p.ask(t, "not-a-token", http.MethodGet, "/api/v1/pods", ""); got.code != 401 {
		t.Errorf("a wrong token: %d", got.code)
	}
}

func onlyAdminHasRights(t *testing.T, p *process) {
	for user := range tokenUsers {
		want := map[bool]int{true: 200, false: 403}[user == adminUser]
		if got := p.ask(t, user, http.MethodGet, "/api/v1/pods", ""); got.code != want {
			t.Errorf("%s: %d %s", user, got.code, got.body)
		}
	}
}

func adminImpersonates(t *testing.T, p *process) {
	got := p.ask(t, adminUser, http.MethodPost, selfReviews, reviewSelf,
		"Impersonate-User", "jane", "Impersonate-Group", "on-call", "Impersonate-Group", "dev", "Impersonate-Uid", "7")
	want := `{"extra":null,"groups":["on-call","dev","system:authenticated"],"uid":"7","username":"jane"}`
	user, _ := got.field(t, "status", "userInfo").(map[string]any)
	text, err := json.Marshal(map[string]any{"extra": user["extra"], "groups": user["groups"], "uid": user["uid"], "username": user["username"]})
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
}
