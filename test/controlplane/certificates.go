// Which certificates the control plane presents and accepts, all from one authority made for this run.

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// leaf is one certificate to issue. For client use, commonName is the user that the API server sees.
type leaf struct {
	certFile, keyFile string
	commonName        string
	usage             x509.ExtKeyUsage
	dnsNames          []string
}

// leaves leaves `localhost` out of the API server's names on purpose: https://localhost:PORT then needs
// --tls-server-name, which lets the suite show that the flag is honoured.
var leaves = []leaf{
	{apiServerCert, apiServerKey, "kube-apiserver", x509.ExtKeyUsageServerAuth, []string{"controlplane.test", "kubernetes.default.svc"}},
	{kubeletCert, kubeletKey, "kubelet", x509.ExtKeyUsageServerAuth, nil},
	{kubeletClient, kubeletClientK, "kube-apiserver-kubelet-client", x509.ExtKeyUsageClientAuth, nil},
	{userCert, userKey, certUser, x509.ExtKeyUsageClientAuth, nil},
}

// validity is generous on both sides: under a moved clock kubectl, which can't be moved, still sees today.
const validity = 20 * 365 * 24 * time.Hour

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// makeCertificates writes the authority, the leaves and the service accounts' signing key into the current directory.
func makeCertificates() error {
	ca, err := makeAuthority()
	if err != nil {
		return err
	}
	for _, one := range leaves {
		if err := ca.issue(one); err != nil {
			return err
		}
	}
	key, err := newKey()
	if err != nil {
		return err
	}
	return writeKey(accountKey, key)
}

func makeAuthority() (authority, error) {
	key, err := newKey()
	if err != nil {
		return authority{}, err
	}
	template := newTemplate(1, "controlplane test authority")
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return authority{}, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return authority{}, err
	}
	return authority{cert, key}, writePair(caCert, caKey, der, key)
}

func (ca authority) issue(one leaf) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	template := newTemplate(serial.Int64()+2, one.commonName)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{one.usage}
	if one.usage == x509.ExtKeyUsageServerAuth {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
		template.DNSNames = one.dnsNames
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, key.Public(), ca.key)
	if err != nil {
		return fmt.Errorf("issuing %s: %w", one.certFile, err)
	}
	return writePair(one.certFile, one.keyFile, der, key)
}

func newTemplate(serial int64, commonName string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    now.Add(-validity),
		NotAfter:     now.Add(validity),
	}
}

func newKey() (*ecdsa.PrivateKey, error) {
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

func writePair(certFile, keyFile string, der []byte, key *ecdsa.PrivateKey) error {
	if err := writePrivate(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})); err != nil {
		return err
	}
	return writeKey(keyFile, key)
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	// SEC 1, not PKCS #8: kube-apiserver takes a service account's public key out of this form only.
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePrivate(file, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
}
