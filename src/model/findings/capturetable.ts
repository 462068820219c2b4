// What `check` knows about capture, freshness and policies: for each finding what it means, what to do, and who looks for it.

import {
  capturedUnasked,
  enrolledOtherwise,
  notEnrolled,
  protocolDiffers,
  proxyPending,
  uncaptured,
} from './capture.ts';
import type { FindingCode } from './codes.ts';
import type { Concerned, FindingRule } from './finding.ts';
import { fakeCa, staleConfig, ztunnelEmpty } from './freshness.ts';
import { describeOutlook, lastIssued, textsOfIssuance } from './issuance.ts';
import { capturePending } from './pods.ts';
import { allowsNothing, selectsNothing, valuesUnmatched } from './policies.ts';

const QUOTED = 2;

/** What is particular about the first objects. */
function quoteDetails(_: unknown, objects: readonly Concerned[]): string {
  const quoted = objects
    .slice(0, QUOTED)
    .map(({ namespace, name, detail }) => `${namespace === null ? '' : `${namespace}/`}${name}: ${detail}`);
  const more = objects.length > QUOTED ? `; and ${objects.length - QUOTED} more` : '';
  return `${quoted.join('; ')}${more}.`;
}

const SEE_POLICIES = 'kubectl ztunnel policies -o wide shows the rules as ztunnel has them.';

export const CAPTURE_FINDINGS = {
  'ZTUNNEL-EMPTY': {
    severity: 'critical',
    title: 'ztunnel has never had its configuration',
    meaning:
      'It answers, and has neither workloads nor certificates, while captured pods have been running on its node for more than a minute: istiod does not accept its token, or it can not reach istiod. Every connection of these pods fails.',
    remedy:
      "Read the ztunnel's log (kubectl logs -n NAMESPACE ZTUNNEL): it names the connection to istiod that fails. Compare XDS_ADDRESS, the audience and issuer of its token, and istiod's cluster id; restarting the pods does not help.",
    find: ztunnelEmpty,
  },
  'NOT-ENROLLED': {
    severity: 'critical',
    title: 'a pod is redirected to a ztunnel that does not know it',
    meaning:
      'istio-cni has annotated it ambient.istio.io/redirection=enabled, and no ztunnel of its node has taken it over: every connection of the pod fails, in both directions, whatever its certificate says.',
    remedy:
      'Restart the pod, so that istio-cni hands it over again. If it happens to several pods of one node, read the log of istio-cni there, and see whether it is connected to ztunnel.',
    find: notEnrolled,
  },
  'PROXY-PENDING': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'ztunnel could not start the proxy of a pod',
    meaning:
      'The pod was handed over, and its entry in workloadState is not Up: no connection of the pod is served. ztunnel tries again by itself; one that stays so has lost the network namespace, or a port is taken.',
    remedy:
      'Read the log of the ztunnel on its node (kubectl logs -n NAMESPACE ZTUNNEL), then restart the pod.',
    find: proxyPending,
  },
  'ENROLLED-OTHERWISE': {
    severity: 'critical',
    title: 'ztunnel has a pod for which istiod has no workload of that name and account',
    meaning:
      'ztunnel takes only a workload of the same namespace, name, service account and node as was handed over; it waits 5 s for one, and then refuses every connection of the pod (timed out waiting for workload).',
    remedy:
      "If there is no workload, check that istiod's discoverySelectors include the namespace, and that istiod is not behind or overloaded. If the account differs, restart the pod.",
    find: enrolledOtherwise,
    particulars: quoteDetails,
  },
  'PROTOCOL-DIFFERS': {
    severity: 'critical',
    lesser: ['warning'],
    title: 'a node and istiod disagree on whether a pod is captured',
    meaning:
      'HBONE of a pod that is not captured: clients in the mesh can not connect to it. TCP of a pod that is: it is reached in plain text, so that policies that ask for an identity refuse it.',
    remedy:
      'Compare the annotation ambient.istio.io/redirection of the pod with kubectl ztunnel workloads; if istiod is not behind, restart the pod.',
    find: protocolDiffers,
    particulars: quoteDetails,
  },
  'STALE-CONFIG': {
    severity: 'critical',
    title: 'a ztunnel no longer hears from istiod',
    meaning:
      'It lacks workloads of pods that have been running for more than a minute, or still has those of pods that are gone. It stays Ready and serves what it knew: connections to and from newer pods fail or are not encrypted.',
    remedy:
      "See whether it can reach istiod (kubectl logs -n NAMESPACE ZTUNNEL: XDS client connection error), and whether istiod is overloaded; restart the ztunnel if its connection does not come back. If all ztunnels lack the same pods, check istiod's discoverySelectors.",
    find: staleConfig,
    particulars: quoteDetails,
  },
  'CAPTURE-PENDING': {
    severity: 'critical',
    title: 'a pod has been captured for more than a minute, and no ztunnel has accepted it',
    meaning: 'istio-cni has annotated it ambient.istio.io/redirection=pending: its traffic is dropped.',
    remedy:
      'Check that the ztunnel of its node runs and is Ready, and read the istio-cni log of that node; then restart the pod.',
    find: capturePending,
  },
  'FAKE-CA': {
    severity: 'critical',
    title: 'a ztunnel issues its certificates itself',
    meaning:
      'It was started with FAKE_CA, which is meant for tests: everybody who knows the source has the same key, and ztunnels with a real CA refuse it.',
    remedy: 'Remove FAKE_CA from the environment of the ztunnel DaemonSet, and restart it.',
    find: fakeCa,
  },
  'CA-LAST-ISSUED': {
    severity: 'warning',
    title: 'certificates are not renewed',
    meaning:
      'Tells apart, by when the newest certificates were issued and by the reasons that ztunnels give: a CA that is down for everybody, for the ztunnel of one node, for one identity, and a ztunnel that does not renew although the CA issues. Connections work until the certificates expire.',
    remedy:
      'See which of the four it is: a CA that is down, a token or network of one node, a service account that the CA refuses, or a ztunnel that has to be restarted.',
    find: lastIssued,
    textsIn: textsOfIssuance,
    particulars: describeOutlook,
  },
  UNCAPTURED: {
    severity: 'warning',
    title: 'pods are to be captured, and are not',
    meaning:
      'The label istio.io/dataplane-mode=ambient of the pod or its namespace asks for it, by the selectors that istio-cni has by default, and istio-cni has not redirected the pod: it sends and takes plain text, without an identity. Most often it was started before the label, or before istio-cni on its node.',
    remedy:
      'Restart the pods: kubectl rollout restart -n NAMESPACE OWNER. If they stay so, read the log of istio-cni on their node. What is not to be in the mesh gets the label istio.io/dataplane-mode=none.',
    find: uncaptured,
    particulars: quoteDetails,
  },
  'POLICY-UNMATCHED': {
    severity: 'warning',
    title: 'a policy names somebody whom nothing in the mesh can be',
    meaning:
      'A principal written with spiffe://, in a trust domain that no workload is in, or of a service account that nothing runs as; the same for namespaces and service accounts. An ALLOW lets nobody in by it, a DENY keeps nobody out.',
    remedy: `Write principals as TRUST-DOMAIN/ns/NAMESPACE/sa/ACCOUNT (the column PRINCIPAL of kubectl ztunnel certs -o json), or remove the value. ${SEE_POLICIES}`,
    find: valuesUnmatched,
    particulars: quoteDetails,
  },
  'CAPTURED-UNASKED': {
    severity: 'information',
    title: 'a pod is captured that no label asks for',
    meaning:
      'Neither the pod nor its namespace has istio.io/dataplane-mode=ambient (any more). istio-cni may select by other labels than by default, or has not removed the pod from the mesh yet.',
    remedy:
      "Compare with ambient.enablementSelectors of istio-cni's configuration; a restart takes the pod out.",
    find: capturedUnasked,
  },
  'POLICY-ALLOWS-NOTHING': {
    severity: 'information',
    title: 'an ALLOW policy refuses every connection to what it selects',
    meaning:
      'It has no rules that can ever hold. That is how everything is refused by default; but istiod also leaves out each ALLOW rule that needs HTTP (hosts, methods, paths, request principals), which ztunnel can not apply, and then nothing is left.',
    remedy: `If it was not meant so, apply HTTP rules at a waypoint (targetRefs), and leave rules without HTTP to ztunnel. ${SEE_POLICIES}`,
    find: allowsNothing,
    particulars: quoteDetails,
  },
  'POLICY-SELECTS-NOTHING': {
    severity: 'information',
    title: 'a policy selects no workload that ztunnel captures',
    meaning: 'Its selector fits no pod, or only pods that are not in the mesh: it decides nothing.',
    remedy: `Check its namespace and selector, or remove it. ${SEE_POLICIES}`,
    find: selectsNothing,
    particulars: quoteDetails,
  },
} as const satisfies Partial<Record<FindingCode, FindingRule>>;
