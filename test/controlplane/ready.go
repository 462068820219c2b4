// When kube-apiserver counts as ready.

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// earlyObjects exist once the server's own start-up work is done; /readyz does not wait for the namespaces.
var earlyObjects = []string{
	"/readyz",
	"/api/v1/namespaces/default",
	"/api/v1/namespaces/kube-system",
	"/api/v1/namespaces/kube-node-lease",
}

// waitReady returns when all earlyObjects are there, or with the last answer when ctx ends or the server does.
func (a *apiServer) waitReady(ctx context.Context, token string) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	for _, path := range earlyObjects {
		for {
			err := ask(ctx, client, a.url+path, token)
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("it is not ready within the start-up bound: %w", err)
			case <-a.stopping:
				return a.reason()
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	return nil
}

// reason is why the server stopped before it was ready.
func (a *apiServer) reason() error {
	select {
	case err := <-a.ended:
		if err != nil {
			return err
		}
	case <-time.After(stopBound):
	}
	return errors.New("it was told to stop before it was ready")
}

// newClient trusts the authority of this run, and no proxy of the environment stands in its way.
func newClient() (*http.Client, error) {
	ca, err := os.ReadFile(caCert)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	return &http.Client{Transport: transport, Timeout: 5 * time.Second}, nil
}

// ask returns nil on 200, else the answer as an error.
func ask(ctx context.Context, client *http.Client, url, token string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err == nil && response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s: %.400s", url, response.Status, body)
	}
	return err
}
