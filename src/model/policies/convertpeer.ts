// What istiod makes of PeerAuthentications for ztunnel: policies that refuse plain text, and which workloads name them.

import type { JsonObject } from '../../base/json.ts';
import type { Policy } from '../dump.ts';
import type { Conversion, ConversionNote, ConvertedPolicy, NoteEffect } from './convert.ts';
import type { Labels, Mode, PeerAuthentication, PolicyRef } from './istioobjects.ts';
import { CONVERTED_PREFIX, STATIC_STRICT } from './words.ts';

/** Matches what has no identity. */
const NO_IDENTITY: JsonObject = { notPrincipals: [{ Presence: [] }] };

/** All of the mesh at once, since they inherit from each other. `notes` are about those that ztunnel does not heed. */
export function convertPeerAuthentications(
  all: readonly PeerAuthentication[],
  rootNamespace: string,
): Conversion {
  const [first] = all;
  if (first === undefined) return { converted: [], notes: [] };
  return {
    converted: [
      // istiod passes it on as soon as there is any, whether a workload names it or not.
      {
        policy: denying(rootNamespace, STATIC_STRICT, [[[NO_IDENTITY]]]),
        selector: undefined,
        source: { kind: 'PeerAuthentication', namespace: rootNamespace, name: STATIC_STRICT },
      },
      ...all.flatMap((one) => convertPorts(one, all, rootNamespace) ?? []),
    ],
    notes: all.flatMap((one) => noteUnheeded(one, all, rootNamespace)),
  };
}

function denying(namespace: string, name: string, rules: readonly JsonObject[][][]): Policy {
  const values = { action: 'Deny', scope: 'WorkloadSelector', dryRun: false, raw: undefined } as const;
  return { namespace, name, ...values, rules: [...rules] };
}

function isUnset(one: PeerAuthentication | undefined): boolean {
  return one === undefined || one.mode === 'UNSET';
}

const isLoose = (mode: Mode) => mode === 'PERMISSIVE' || mode === 'DISABLE';

/** What holds for a namespace; of several without a selector, the oldest. */
function findOfNamespace(
  all: readonly PeerAuthentication[],
  namespace: string,
): PeerAuthentication | undefined {
  return oldestOf(all.filter((one) => one.namespace === namespace && !one.hasSelector));
}

/** What is not in the cluster yet is the youngest. */
function oldestOf(all: readonly PeerAuthentication[]): PeerAuthentication | undefined {
  const age = ({ created }: PeerAuthentication) =>
    created === '' ? Number.POSITIVE_INFINITY : Date.parse(created);
  return all.reduce<PeerAuthentication | undefined>(
    (oldest, one) => (oldest === undefined || age(one) < age(oldest) ? one : oldest),
    undefined,
  );
}

/** The policy of one with a selector and modes for ports; undefined where the shared one, or none, is enough. */
function convertPorts(
  one: PeerAuthentication,
  all: readonly PeerAuthentication[],
  rootNamespace: string,
): ConvertedPolicy | undefined {
  const { namespace, name, mode, ports, hasSelector, selector } = one;
  if (namespace === rootNamespace || !hasSelector || !ports?.length) return undefined;
  const ofNamespace = findOfNamespace(all, namespace);
  const ofMesh = findOfNamespace(all, rootNamespace);
  const inheritsStrict = isUnset(ofNamespace) ? ofMesh?.mode === 'STRICT' : ofNamespace?.mode === 'STRICT';
  // An exception counts where the rest is strict. Unset under a namespace's policy that is unset, too, does not inherit here.
  const aboveIsStrict = ofNamespace === undefined ? ofMesh?.mode === 'STRICT' : ofNamespace.mode === 'STRICT';
  const isStrict = mode === 'STRICT' || (mode === 'UNSET' && aboveIsStrict);
  const exceptions = isStrict ? ports.filter((port) => isLoose(port.mode)) : [];
  // Under a strict mesh istiod takes the port to be strict anyway, also where the workload's own mode is loose.
  const strictAnyway =
    mode === 'STRICT' || isMeshStrict(all, namespace, rootNamespace) || (mode === 'UNSET' && inheritsStrict);
  const strictPorts = strictAnyway ? [] : ports.filter((port) => port.mode === 'STRICT');
  if (mode === 'STRICT' && exceptions.length === 0) return undefined;
  const clauses: JsonObject[][] = [
    ...(mode === 'STRICT' ? [[NO_IDENTITY]] : []),
    ...exceptions.map(({ port }) => [{ notDestinationPorts: [port] }]),
    ...(inheritsStrict && exceptions.length > 0 ? [[NO_IDENTITY]] : []),
  ];
  const rules = [
    ...strictPorts.map(({ port }) => [[{ ...NO_IDENTITY, destinationPorts: [port] }]]),
    ...(clauses.length > 0 ? [clauses] : []),
  ];
  if (rules.length === 0) return undefined;
  return {
    policy: denying(namespace, `${CONVERTED_PREFIX}${name}`, rules),
    selector,
    source: { kind: 'PeerAuthentication', namespace, name },
  };
}

/** Strict by the mesh's, where the namespace's says nothing. */
function isMeshStrict(all: readonly PeerAuthentication[], namespace: string, rootNamespace: string): boolean {
  return isUnset(findOfNamespace(all, namespace)) && findOfNamespace(all, rootNamespace)?.mode === 'STRICT';
}

/**
 * The policies, as `namespace/name` sorted, by which PeerAuthentications refuse plain text to a workload. `labels`: its
 * own. Of the mesh, the namespace and the workload the last that says something holds, and of several the oldest.
 */
export function listPeerPolicies(
  all: readonly PeerAuthentication[],
  { namespace, labels }: { readonly namespace: string; readonly labels: Labels },
  rootNamespace: string,
): readonly string[] {
  const selecting = all.filter(
    (one) =>
      (one.namespace === namespace && isSubset(one.selector ?? {}, labels)) ||
      (one.namespace === rootNamespace && !one.hasSelector),
  );
  const isGeneral = ({ selector }: PeerAuthentication) => Object.keys(selector ?? {}).length === 0;
  const ofMesh = oldestOf(selecting.filter((one) => isGeneral(one) && one.namespace === rootNamespace));
  const ofNamespace = oldestOf(selecting.filter((one) => isGeneral(one) && one.namespace !== rootNamespace));
  const ofWorkload = oldestOf(selecting.filter((one) => !isGeneral(one) && one.namespace !== rootNamespace));
  const above = isUnset(ofNamespace) ? ofMesh?.mode === 'STRICT' : ofNamespace?.mode === 'STRICT';
  const strict =
    ofWorkload === undefined || ofWorkload.mode === 'UNSET' ? above : ofWorkload.mode === 'STRICT';
  const shared = strict ? [`${rootNamespace}/${STATIC_STRICT}`] : [];
  if (ofWorkload?.ports === undefined) return shared;
  const own = `${ofWorkload.namespace}/${CONVERTED_PREFIX}${ofWorkload.name}`;
  const modes = ofWorkload.ports.map(({ mode }) => mode);
  if (strict) {
    // DISABLE of a port makes an exception only from a mode that the workload's own policy sets.
    const excepts = ofWorkload.mode === 'UNSET' ? modes.includes('PERMISSIVE') : modes.some(isLoose);
    return excepts ? [own] : shared;
  }
  return modes.includes('STRICT') ? [own] : [];
}

/** Whether labels are among others. */
export function isSubset(some: Labels, all: Labels): boolean {
  return Object.entries(some).every(([label, value]) => Object.hasOwn(all, label) && all[label] === value);
}

function noteUnheeded(
  one: PeerAuthentication,
  all: readonly PeerAuthentication[],
  rootNamespace: string,
): readonly ConversionNote[] {
  const { kind, namespace, name, hasSelector, ports, mode } = one;
  const source: PolicyRef = { kind, namespace, name };
  const note = (effect: NoteEffect, text: string): ConversionNote => ({ source, rule: null, effect, text });
  const isInRoot = namespace === rootNamespace;
  const lost = isLoose(mode) && !isInRoot && hasSelector && isMeshStrict(all, namespace, rootNamespace);
  const strict = (ports ?? []).filter((port) => port.mode === 'STRICT').map(({ port }) => port);
  return [
    ...(isInRoot && hasSelector
      ? [note('noEffect', `selector: in ${rootNamespace} ztunnel heeds only PeerAuthentications without one`)]
      : []),
    ...(ports?.length && (isInRoot || !hasSelector)
      ? [note('partLeftOut', 'portLevelMtls: without a selector, ztunnel heeds no modes of ports')]
      : []),
    ...(mode === 'DISABLE'
      ? [note('partLeftOut', 'mtls: DISABLE is to ztunnel what PERMISSIVE is: it goes on to accept mTLS')]
      : []),
    ...(lost && strict.length > 0
      ? [
          note(
            'partLeftOut',
            `portLevelMtls: STRICT for ${strict.join(', ')} has no effect: under a strict PeerAuthentication of the mesh istiod makes no policy of it`,
          ),
        ]
      : []),
  ];
}
