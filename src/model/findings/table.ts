// Which findings `check` knows: for each what it means, what to do, and who looks for it.

import { authoritiesExpiring, expiredRoots, leafsOutlive } from './authorities.ts';
import { CAPTURE_FINDINGS } from './capturetable.ts';
import {
  initializing,
  lifetimes,
  missing,
  nameAuthority,
  neverPresented,
  notNeeded,
  orphans,
  refusedTtls,
  unavailable,
  unreachableAuthority,
  withStatus,
} from './certificates.ts';
import type { FindingCode } from './codes.ts';
import type { FindingRule } from './finding.ts';
import { defaultServiceAccount, trustDomainMismatch } from './identities.ts';
import { withoutZtunnel } from './pods.ts';
import { chainDuplicates } from './roots.ts';
import { namesWith, refusedEndpoints } from './sans.ts';
import { shortfalls } from './statefulsets.ts';
import { olderRoots, rootsDiffer, trustBroken } from './trust.ts';
import { clockSkew, deadNodes, notReady, unreachable, versionsDiffer } from './ztunnels.ts';

const ISTIO_OBJECTS = ['serviceEntries', 'destinationRules'] as const;
const SEE_SANS = 'kubectl ztunnel sans shows every list with the identities behind it.';
const SEE_ZTUNNEL_LOG = "The ztunnel's log says more: kubectl logs -n NAMESPACE ZTUNNEL.";

/** By code; FINDING_CODES has their order. */
export const FINDINGS = {
  ...CAPTURE_FINDINGS,
  'CA-UNREACHABLE': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: its CA can not be reached',
    meaning:
      'The signing request ended before the CA answered: no connection, TLS that fails (often because the root changed), or no answer in time. ztunnel fetches one certificate after another, so that what its list lacks meanwhile is only not fetched yet. Before 1.28, the first failed renewal discards a certificate that is still valid.',
    remedy:
      "Check that istiod (or the CA in its place) runs, that its service has endpoints, and that no NetworkPolicy stands between it and ztunnel. After a change of the root, restart ztunnels older than 1.28.6 and 1.29.2: they don't reload it.",
    find: unreachableAuthority,
    particulars: nameAuthority,
  },
  'CA-UNAUTHENTICATED': {
    severity: 'critical',
    lesser: ['warning'],
    title: "ztunnel has no certificate: the CA does not accept ztunnel's token",
    meaning:
      "`request authenticate failure` in istiod's words: the token has another audience, another issuer (another cluster's), has expired, or the clocks differ.",
    remedy:
      "Compare the audience of ztunnel's token (istio-ca by default) with what istiod accepts (TOKEN_AUDIENCES), and check that istiod knows this cluster's tokens: its cluster id, and a remote secret in multi-cluster. The log of istiod has the reason.",
    find: unavailable('notAuthenticated'),
    particulars: nameAuthority,
  },
  'CA-NOT-TRUSTED': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: its account may not ask for identities of others',
    meaning:
      "`request impersonation authentication failure`: the token is good, but ztunnel's service account is not in CA_TRUSTED_NODE_ACCOUNTS, or istiod sees no pod of the identity on ztunnel's node, or has no node authorizer for that cluster.",
    remedy:
      "Put ztunnel's service account (NAMESPACE/NAME) into CA_TRUSTED_NODE_ACCOUNTS of istiod; if it is there, see in the log of istiod which pod it looked for, on which node and in which cluster.",
    find: unavailable('notTrusted'),
    particulars: nameAuthority,
  },
  'CA-DENIED': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: the CA refuses to sign for the identity',
    meaning:
      'PERMISSION_DENIED, which other CAs than istiod answer: they know who ztunnel is, and refuse this identity by a policy of their own.',
    remedy: "Read the CA's own approval policy and its log for this identity.",
    find: unavailable('permissionDenied'),
    particulars: nameAuthority,
  },
  'CA-TTL-REFUSED': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: it asks for a longer lifetime than the CA allows',
    meaning: 'istiod refuses such requests, it does not shorten them.',
    remedy:
      'Set SECRET_TTL of ztunnel to no more than MAX_WORKLOAD_CERT_TTL of istiod, or raise the latter; then restart what was changed.',
    find: refusedTtls,
    particulars: nameAuthority,
  },
  'CA-NOT-READY': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: the CA has nothing to sign with yet',
    meaning:
      'istiod runs and answers, but has no signing certificate: it is still starting, or its key and chain could not be loaded.',
    remedy:
      'Check the Secret that istiod signs with (cacerts, or istio-ca-secret) and the log of istiod; ztunnel tries again by itself.',
    find: unavailable('notReady'),
    particulars: nameAuthority,
  },
  'CA-UNEXPECTED-SAN': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: the CA answered with another identity',
    meaning:
      'The certificate that came does not name the identity that was asked for, so that ztunnel dropped it.',
    remedy:
      "Check the trust domain on both sides (meshConfig.trustDomain), and that an external CA keeps the request's SAN as it is.",
    find: unavailable('unexpectedSan'),
    particulars: nameAuthority,
  },
  'CA-EMPTY-CHAIN': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: the CA answered without one',
    meaning: 'The CA accepted the request and sent an empty chain.',
    remedy: "Look at the CA's log for this identity; with istio-csr, at the CertificateRequest that it made.",
    find: unavailable('emptyChain'),
    particulars: nameAuthority,
  },
  'CA-UNREADABLE': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: what the CA sent can not be parsed',
    meaning:
      'ztunnel words it as a CSR that could not be made, and says so of certificates and roots that it can not read, too.',
    remedy:
      'Read the reason to its end, and check the PEM of the root (istio-ca-root-cert) and of the signing chain.',
    find: unavailable('unreadable'),
    particulars: nameAuthority,
  },
  'WORKLOAD-UNKNOWN': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate: istiod has not told it of the workload',
    meaning: 'ztunnel was asked for an identity of which it knows no workload on its node.',
    remedy:
      "Check that istiod's discoverySelectors include the namespace and that istiod is not behind; if neither is it, restart the pod.",
    find: unavailable('workloadUnknown'),
  },
  UNAVAILABLE: {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel has no certificate, for a reason that has no finding of its own',
    meaning: "The reason is ztunnel's or the CA's own text.",
    remedy: SEE_ZTUNNEL_LOG,
    find: unavailable('other'),
    particulars: nameAuthority,
  },
  MISMATCH: {
    severity: 'critical',
    title: 'the certificate names another identity than the one it is listed under',
    meaning: 'Peers take the workload for somebody else, and refuse it by policy or by SAN.',
    remedy:
      "Find out what signs these certificates, and make it keep the request's SAN; then restart the ztunnel.",
    find: withStatus('MISMATCH'),
    particulars: nameAuthority,
  },
  'NOT-YET-VALID': {
    severity: 'critical',
    title: 'the certificate is not valid yet',
    meaning: 'Leaf or intermediate begins in the future: the clocks of the CA and of this side disagree.',
    remedy: 'Compare the clocks of the nodes that the CA and the ztunnel run on (NTP).',
    find: withStatus('NOT-YET-VALID'),
  },
  EXPIRED: {
    severity: 'critical',
    title: 'the certificate has expired',
    meaning:
      'Whatever ztunnel says of its state, peers refuse the certificate: the connections of these workloads fail. A ztunnel whose machine slept, or whose timer stood still, does not notice by itself.',
    remedy:
      'If the CA is healthy, restart the ztunnel of the node: kubectl delete pod -n NAMESPACE ZTUNNEL. If the reason names an intermediate, renew that first.',
    find: withStatus('EXPIRED'),
    particulars: nameAuthority,
  },
  UNTRUSTED: {
    severity: 'critical',
    title: 'peers refuse the certificate',
    meaning:
      "ztunnel's TLS library (rustls) does not accept it: the chain does not lead to one of the roots that came with it, or one of its certificates breaks a rule. The reason names the certificate and the rule. An expired root is none.",
    remedy:
      'If the chain is broken, check that the signing chain ends in a root that is in istio-ca-root-cert; after a rotation that left the old root out too early, put it back until every certificate has been renewed. If a rule is broken, correct what the CA issues (uses, key, signature, extensions), then restart the ztunnel.',
    find: withStatus('UNTRUSTED'),
    particulars: nameAuthority,
  },
  MISSING: {
    severity: 'critical',
    lesser: ['warning'],
    title: 'captured pods run on a node whose ztunnel does not list their identity',
    meaning:
      'Peers refuse these pods, or see them without an identity. A warning while no pod of the identity has run for a minute.',
    remedy:
      'Check that the ztunnel knows the workload (kubectl ztunnel workloads -n NAMESPACE), and that istiod sees the pod; restarting the pod makes istio-cni announce it anew.',
    find: missing,
  },
  'NODE-WITHOUT-ZTUNNEL': {
    severity: 'critical',
    title: 'captured pods run on a node without a ztunnel',
    meaning: 'Their traffic is redirected to a proxy that is not there.',
    remedy:
      'See why the DaemonSet has no pod there: taints, node selectors, resources, or a ztunnel that --ztunnel-selector or --ztunnel-namespace leaves out.',
    find: withoutZtunnel,
  },
  'STATEFULSET-SHORTFALL': {
    severity: 'critical',
    title: 'a StatefulSet has fewer captured pods with a usable certificate than replicas',
    meaning: 'The ordinals named do not exist, are not captured, or have no certificate that peers accept.',
    remedy:
      'Fix the certificates of the pods listed (see their findings); a pod that is not captured needs istio.io/dataplane-mode=ambient on its namespace and a restart.',
    find: shortfalls,
  },
  'TRUST-BROKEN': {
    severity: 'critical',
    title: 'certificates in use can not verify each other',
    meaning:
      'ztunnel verifies a peer with the roots that came with the certificate in use, clients and servers alike, and a server accepts clients of its own trust domain only. Between the workloads of the two groups named, no new connection comes about; those that are open stay until they end.',
    remedy:
      'With different roots: put both into the trust bundle, let every certificate be renewed (or restart the ztunnels that trust only one), and only then sign with the new one. With different trust domains: give istiod one meshConfig.trustDomain, and restart the ztunnels that still use another; trustDomainAliases play no part in ztunnel.',
    find: trustBroken,
    particulars: nameAuthority,
  },
  'LEAF-OUTLIVES-ISSUER': {
    severity: 'critical',
    lesser: ['information'],
    title: 'a certificate outlives what it was signed with',
    meaning:
      'If an intermediate ends before ztunnel renews the leaf (at half of its lifetime), handshakes fail from then on although the leaf looks valid. It is information where the leaf is renewed before, and of a root, whose dates ztunnel ignores.',
    remedy:
      'Renew the intermediate or root named, and have the CA shorten what it issues to its own remaining lifetime; then restart the ztunnels.',
    find: leafsOutlive,
    particulars: nameAuthority,
  },
  'SAN-REFUSED': {
    severity: 'critical',
    title: 'clients refuse an endpoint: its identity is in no list of names that binds them',
    meaning:
      'A DestinationRule with mode ISTIO_MUTUAL or MUTUAL lists subjectAltNames, and the endpoint has none of them: sidecars, waypoints and gateways that go by the rule end the TLS handshake. ztunnel itself does not read such rules.',
    remedy: `Add the identity to subjectAltNames of the rule named, or take the list out; a subset or service that selects too much is the other cause. ${SEE_SANS}`,
    find: refusedEndpoints,
  },
  INITIALIZING: {
    severity: 'critical',
    lesser: ['warning'],
    title: 'the first certificate is still being fetched',
    meaning:
      'Normal for seconds after a pod has started, and a warning until one has run for a minute, or where pods are not known; if it stays, the CA does not answer.',
    remedy: `Check again in a minute; then see whether the CA can be reached. ${SEE_ZTUNNEL_LOG}`,
    find: initializing,
    particulars: nameAuthority,
  },
  UNKNOWN: {
    severity: 'warning',
    title: 'ztunnel names a state that is not known, or a chain that can not be read',
    meaning: 'A ztunnel newer than this program, or a dump that was damaged.',
    remedy: 'Look at the reason and at the raw entry (kubectl ztunnel certs --status UNKNOWN -o json).',
    find: withStatus('UNKNOWN'),
  },
  EXPIRING: {
    severity: 'warning',
    title: 'the certificate expires soon',
    meaning: 'Less of its life is left than --warn-within says; ztunnel should have renewed it at half.',
    remedy:
      'See whether the CA can be reached, then restart the ztunnel of the node before the certificate runs out.',
    find: withStatus('EXPIRING'),
    particulars: nameAuthority,
  },
  'RENEWAL-OVERDUE': {
    severity: 'warning',
    title: 'the certificate should have been renewed',
    meaning:
      'ztunnel renews at half of the lifetime, so that its renewals fail or its timer stands still. Its state stays Available until the certificate runs out: this is the only early sign there is.',
    remedy:
      'See whether the CA can be reached; if it can, restart the ztunnel of the node. Half a lifetime is left for it.',
    find: withStatus('RENEWAL-OVERDUE'),
    particulars: nameAuthority,
  },
  'ZTUNNEL-NOT-READY': {
    severity: 'warning',
    title: 'a ztunnel runs but is not Ready',
    meaning: 'It may go on serving, but has not had its first configuration from istiod, or is draining.',
    remedy: 'See why with: kubectl describe pod -n NAMESPACE ZTUNNEL, and read its log.',
    find: notReady,
  },
  'ZTUNNEL-UNREACHABLE': {
    severity: 'warning',
    title: 'a ztunnel could not be asked',
    meaning:
      'Nothing is known of the certificates on its node. Only with --allow-partial; otherwise it is a failure.',
    remedy: 'The detail says what happened; without --allow-partial the error line has the next step.',
    find: unreachable,
  },
  'NODE-DEAD': {
    severity: 'warning',
    title: 'a node has stopped renewing its Lease',
    meaning:
      'Its kubelet is gone, while its workloads stay in the dumps of all ztunnels until the Node is removed.',
    remedy: 'See with: kubectl describe node NODE. If the machine is gone for good, delete the Node.',
    find: deadNodes,
  },
  'ROOT-EXPIRED': {
    severity: 'warning',
    title: 'a root has expired',
    meaning:
      "To ztunnel a root is a name and a key, so that its workloads go on connecting. Waypoints, gateways and sidecars (Envoy), and other clients, do mind a root's dates.",
    remedy:
      'Rotate the root: add the new one to the trust bundle, wait until every certificate trusts it, then sign with it.',
    find: expiredRoots,
  },
  'AUTHORITY-EXPIRING': {
    severity: 'warning',
    title: 'a root or intermediate expires soon',
    meaning:
      'It ends before a leaf that it signs now would, or within --warn-within (a share counts for at most 30 days): leafs can not be renewed under it for much longer.',
    remedy:
      'Renew the intermediate, or start rotating the root: add the new one to the trust bundle first, then sign with it.',
    find: authoritiesExpiring,
  },
  'TRUST-DOMAIN-MISMATCH': {
    severity: 'warning',
    title: 'a certificate is in another trust domain than its workloads',
    meaning: 'Peers expect the identity that istiod tells of the workload, and refuse the certificate.',
    remedy:
      'Compare meshConfig.trustDomain of istiod with what the CA signs; restart istiod and ztunnel after a change.',
    find: trustDomainMismatch,
  },
  'LIFETIME-FAR-OFF': {
    severity: 'warning',
    title: 'certificates live much shorter or longer than ztunnel asks for',
    meaning: "Less than half or more than twice of ztunnel's SECRET_TTL: the setting has not taken effect.",
    remedy:
      "Compare SECRET_TTL of ztunnel with the CA's own limit (MAX_WORKLOAD_CERT_TTL of istiod, or the external CA's policy).",
    find: lifetimes,
  },
  'SAN-TLS-DISABLED': {
    severity: 'warning',
    title: 'a DestinationRule disables TLS for a host whose workloads are HBONE',
    meaning:
      'Sidecars, waypoints and gateways that go by the rule send plain text, without an identity: policies that ask for one refuse it, and so does a strict PeerAuthentication. A tls section without a mode disables TLS, too.',
    remedy: "Take the rule's tls section out, or set mode ISTIO_MUTUAL.",
    find: namesWith('TLS-DISABLED', ['destinationRules']),
  },
  'SAN-NOT-SPIFFE': {
    severity: 'warning',
    title: 'a subjectAltName is no SPIFFE id, where ztunnel reads it',
    meaning:
      "ztunnel takes only spiffe://TRUST-DOMAIN/ns/NAMESPACE/sa/ACCOUNT: it ignores any other name of a ServiceEntry, with a warning in its log. Sidecars and gateways may use it for certificates that are not the mesh's.",
    remedy:
      'Write the identity of the workloads in full, or leave the name to a DestinationRule if it is meant for gateways.',
    find: namesWith('NOT-SPIFFE', []),
  },
  'SAN-UNKNOWN-DOMAIN': {
    severity: 'warning',
    title: 'a subjectAltName is in a trust domain that no certificate of the mesh has',
    meaning: 'Written for another mesh, or before the trust domain changed: no endpoint can have it.',
    remedy: `Compare it with meshConfig.trustDomain, and with what other clusters of the mesh use. ${SEE_SANS}`,
    find: namesWith('UNKNOWN-DOMAIN', ISTIO_OBJECTS),
  },
  'SAN-UNMATCHED': {
    severity: 'warning',
    title: 'no endpoint of the service has a name that clients expect',
    meaning:
      'The service account was renamed, or the name never was right. While other names of the list match, nothing fails; without them, clients refuse every endpoint.',
    remedy: `Correct or remove the name. ${SEE_SANS}`,
    find: namesWith('UNMATCHED', ISTIO_OBJECTS),
  },
  'CLOCK-SKEW': {
    severity: 'warning',
    title: "this machine's clock is far from the API server's",
    meaning: "More than 30 s. Certificates are judged by the API server's clock, so that the findings stand.",
    remedy: 'Synchronise the clock of this machine (NTP).',
    find: clockSkew,
  },
  'IDENTITY-NOT-NEEDED': {
    severity: 'information',
    title: 'the last pod of an identity has just left',
    meaning: 'ztunnel stopped fetching its certificate and forgets it soon.',
    remedy: 'There is nothing to do.',
    find: notNeeded,
  },
  ORPHAN: {
    severity: 'information',
    title: 'a certificate that no workload on its node uses',
    meaning:
      'Its pods have left or are not captured, or their trust domain has changed: ztunnel uses another certificate for them and keeps this one for a while (before 1.22 for ever).',
    remedy: 'There is nothing to do; with a ztunnel older than 1.22, a restart clears them.',
    find: orphans,
  },
  'NEVER-PRESENTED': {
    severity: 'information',
    title: 'what is wrong with a certificate does not matter: ztunnel fetches it and never presents it',
    meaning:
      'Waypoints and gateways (nativeTunnel) speak HBONE themselves, with a certificate of their own that no dump of ztunnel shows.',
    remedy:
      'There is nothing to do in ztunnel. For the certificate that counts, ask the proxy itself: istioctl proxy-config secret.',
    find: neverPresented,
  },
  'SAN-NO-ENDPOINTS': {
    severity: 'information',
    title: 'names are expected of a host without endpoints',
    meaning:
      'The host is misspelt, of another namespace or outside of the mesh, or its service is scaled to nothing: the list could not be compared with anybody.',
    remedy: "Check the host of the rule: a name without dots is a service of the rule's own namespace.",
    find: namesWith('NO-ENDPOINTS', ISTIO_OBJECTS),
  },
  'CHAIN-DUPLICATE': {
    severity: 'information',
    title: 'a certificate stands twice in a chain',
    meaning: 'Handshakes get longer, and strict peers may refuse the chain.',
    remedy: "Take the duplicate (most often the root) out of the CA's signing chain.",
    find: chainDuplicates,
  },
  'DEFAULT-SERVICE-ACCOUNT': {
    severity: 'information',
    title: 'pods run as `default` beside others that have service accounts of their own',
    meaning: 'They share one identity: no policy can tell them apart.',
    remedy: 'Give each workload a service account of its own.',
    find: defaultServiceAccount,
  },
  'VERSIONS-DIFFER': {
    severity: 'information',
    title: 'ztunnels run different versions',
    meaning: 'Normal during a rollout. By image tag; with --deep by what the ztunnels themselves say.',
    remedy:
      'If no rollout is under way, see what keeps one back: kubectl rollout status -n NAMESPACE daemonset/ztunnel.',
    find: versionsDiffer,
  },
  'OLDER-ROOT': {
    severity: 'information',
    title: 'certificates still lead to an older root, while a newer one is in use',
    meaning:
      'A rotation is under way, and all can verify each other: each certificate moves when it is renewed, at half of its lifetime.',
    remedy: 'Keep the old root in the trust bundle until none is left.',
    find: olderRoots,
  },
  'ROOTS-DIFFER': {
    severity: 'information',
    title: 'not all certificates trust the same roots',
    meaning:
      'A rotation is under way, and all can verify each other as yet: what would be signed with the root named is refused by those that do not trust it.',
    remedy:
      'Do not sign with it before all trust it: each certificate gets the roots of its day when it is renewed, at half of its lifetime; restarting a ztunnel renews all of its certificates.',
    find: rootsDiffer,
  },
} as const satisfies Record<FindingCode, FindingRule>;
