// What becomes of a connection at its destination: whether it is taken there, by certificates and by policies.

import { formatIdentity, type Identity, parseIdentity } from '../certificates/identity.ts';
import type { Workload } from '../dump.ts';
import { type Address, parseAddress } from '../policies/addresses.ts';
import type { Applying } from '../policies/evaluate.ts';
import { explainPolicies } from '../policies/explain.ts';
import { callerOf } from '../policies/rules.ts';
import { type Enrolment, enrolmentOf } from './enrolment.ts';
import type { ReachFact, StepName, StepResult } from './facts.ts';
import { noteDryRun } from './facttexts.ts';
import { HBONE_PORT, type Hop } from './outbound.ts';
import type { ReachView } from './view.ts';
import type { ReachWorld } from './world.ts';

/** One step of the way. */
export interface Step {
  readonly step: StepName;
  readonly result: StepResult;
  readonly fact: ReachFact;
}

export interface Inbound {
  readonly steps: readonly Step[];
  readonly notes: readonly ReachFact[];
}

/** Who connects, as far as the destination can tell. */
export interface Client {
  /** The workload as its own ztunnel has it; undefined for somebody outside of the mesh. */
  readonly workload: Workload | undefined;
  /** Its ztunnel; undefined where it passes none. */
  readonly view: ReachView | undefined;
  /** What it presents; undefined for plain text. */
  readonly identity: Identity | undefined;
  /** undefined where it is not known, as for what is on its node's network. */
  readonly address: Address | undefined;
  /** Its certificate is in no dump. */
  readonly hasOwnProxy: boolean;
}

/** Ports that ztunnel listens on itself. */
const OWN_PORTS: ReadonlySet<number> = new Set([15_001, 15_006, HBONE_PORT]);

export const nameOf = ({ namespace, name }: Pick<Workload, 'namespace' | 'name'>) => `${namespace}/${name}`;

export function formatSocket(address: string, port: number | undefined): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return port === undefined ? address : `${host}:${port}`;
}

/** `sans`: names that a service's endpoints may have besides their own. */
export function followInbound(world: ReachWorld, client: Client, hop: Hop, sans: readonly string[]): Inbound {
  const { workload, address, port } = hop;
  const host = address?.text ?? workload.hostname;
  if (host === '') return ending({ fact: 'nowhere', destination: nameOf(workload) });
  const isHbone = client.identity !== undefined && workload.protocol === 'HBONE';
  const there = enrolmentOf(world, workload);
  const refusal = findRefusal(there, workload, isHbone, port);
  if (refusal !== undefined) return ending(refusal);
  const socket = formatSocket(host, isHbone ? HBONE_PORT : port);
  const way: Step = {
    step: 'way',
    result: there.state === 'unknown' ? 'unknown' : 'ok',
    fact:
      there.state === 'unknown'
        ? { fact: 'captureUnknown', workload: nameOf(workload), why: there.why }
        : isHbone
          ? { fact: 'hbone', workload: nameOf(workload), address: socket, node: workload.node }
          : { fact: 'plain', workload: nameOf(workload), address: socket },
  };
  const trust = isHbone ? judgeTrust(world, client, hop, there, sans) : undefined;
  const steps: Step[] = [way, { step: 'trust', ...(trust ?? NO_CERTIFICATES) }];
  if (trust?.result === 'refused') return { steps, notes: noteDifferences(client, hop, there) };
  // Whether it is captured decides what comes next.
  if (there.state === 'unknown') return { steps: [way], notes: [] };
  const { step, notes } = judgePolicies(client, hop, there, isHbone);
  return { steps: [...steps, step], notes: [...noteDifferences(client, hop, there), ...notes] };
}

const NO_CERTIFICATES = { result: 'ok', fact: { fact: 'noCertificates' } } as const;

function ending(fact: ReachFact): Inbound {
  return { steps: [{ step: 'way', result: 'refused', fact }], notes: [] };
}

/** What keeps the connection from being taken at all. */
function findRefusal(
  there: Enrolment,
  workload: Workload,
  isHbone: boolean,
  port: number | undefined,
): ReachFact | undefined {
  const listens = there.state === 'captured' || there.state === 'ownProxy' || there.state === 'unknown';
  const failed = factOfFailure(there, workload);
  if (failed !== undefined) return failed;
  if (isHbone && !listens) return { fact: 'nobodyListens', workload: nameOf(workload) };
  if (there.state === 'captured' && port !== undefined && OWN_PORTS.has(port))
    return { fact: 'ownPort', port };
  return undefined;
}

/** A pod that is captured and can't be served; undefined for all others. */
export function factOfFailure(there: Enrolment, workload: Workload): ReachFact | undefined {
  const name = nameOf(workload);
  if (there.state === 'notEnrolled') {
    const { ref } = there.view;
    return { fact: 'notEnrolled', workload: name, ztunnel: ref.name, node: ref.node ?? '' };
  }
  if (there.state === 'pending') {
    return { fact: 'pending', workload: name, ztunnel: there.view.ref.name, said: there.said };
  }
  if (there.state === 'otherwise') {
    const { view, handed, known } = there;
    return { fact: 'otherwise', workload: name, ztunnel: view.ref.name, handed, known: known ?? null };
  }
  return undefined;
}

type Judged = Pick<Step, 'result' | 'fact'>;

const unknown = (why: string): Judged => ({ result: 'unknown', fact: { fact: 'trustUnknown', why } });
const refused = (fact: ReachFact): Judged => ({ result: 'refused', fact });

function ownCertificate(workload: Workload): Judged {
  return { result: 'unknown', fact: { fact: 'ownCertificate', workload: nameOf(workload) } };
}

/** Both have to accept each other, each by its own roots. */
function judgeTrust(
  world: ReachWorld,
  client: Client,
  { workload }: Hop,
  there: Enrolment,
  sans: readonly string[],
): Judged {
  const { verification } = world;
  const presented = there.state === 'captured' ? there.workload : workload;
  const identity = formatIdentity(presented);
  const expected = [formatIdentity(workload), ...sans.filter((san) => parseIdentity(san) !== undefined)];
  if (!expected.includes(identity)) return refused({ fact: 'otherIdentity', expected, presented: identity });
  if (client.identity !== undefined && client.identity.trustDomain !== presented.trustDomain) {
    const [a, b] = [client.identity.trustDomain, presented.trustDomain];
    return refused({ fact: 'otherDomain', client: a, server: b });
  }
  if (there.state === 'unknown') return unknown(there.why);
  if (there.state !== 'captured') return ownCertificate(workload);
  if (client.hasOwnProxy || client.view === undefined || client.identity === undefined) {
    return ownCertificate(client.workload ?? workload);
  }
  const server = findEntry(world, there.view, identity);
  if (server.judged !== undefined) return server.judged;
  const source = findEntry(world, client.view, formatIdentity(client.identity));
  if (source.judged !== undefined) return source.judged;
  const names = { client: accountOf(client.identity), server: accountOf(presented) };
  const ofClient = verification.accepts(server.entry, source.entry, 'client');
  const ofServer = verification.accepts(source.entry, server.entry, 'server');
  if (ofClient.accepted === false) return refused({ fact: 'serverRefuses', ...names, why: ofClient.why });
  if (ofServer.accepted === false) return refused({ fact: 'clientRefuses', ...names, why: ofServer.why });
  if (!ofClient.accepted) return unknown(ofClient.why);
  if (!ofServer.accepted) return unknown(ofServer.why);
  const roots = { clientRoot: ofClient.root, serverRoot: ofServer.root };
  return { result: 'ok', fact: { fact: 'trusted', ...names, node: there.view.ref.node ?? '', ...roots } };
}

function accountOf({ namespace, serviceAccount }: Identity): string {
  return `${namespace}/${serviceAccount}`;
}

type FoundEntry =
  | { readonly judged: Judged; readonly entry?: undefined }
  | { readonly judged: undefined; readonly entry: NonNullable<ReturnType<ReachView['entryOf']>> };

/** The certificate of an identity of a ztunnel, or what keeps it from being used. */
export function findEntry({ verification }: ReachWorld, view: ReachView, identity: string): FoundEntry {
  const entry = view.entryOf(identity);
  if (!view.knows('certificates') && entry === undefined) {
    return { judged: unknown(`the certificates of ${view.ref.name} are not known`) };
  }
  if (entry === undefined) {
    return {
      judged: { result: 'unknown', fact: { fact: 'certificateNotListed', identity, ztunnel: view.ref.name } },
    };
  }
  const state = verification.stateOf(entry);
  if (state.state === 'usable') return { judged: undefined, entry };
  const { why } = state;
  return state.state === 'unusable'
    ? { judged: refused({ fact: 'certificateUnusable', identity, why }) }
    : { judged: { result: 'unknown', fact: { fact: 'certificateUnknown', identity, why } } };
}

function judgePolicies(
  client: Client,
  { workload, address, port }: Hop,
  there: Enrolment,
  isHbone: boolean,
): { readonly step: Step; readonly notes: readonly ReachFact[] } {
  const done = (result: StepResult, fact: ReachFact, notes: readonly ReachFact[] = []) => {
    return { step: { step: 'policies', result, fact } as const, notes };
  };
  if (there.state === 'ownProxy') return done('unknown', { fact: 'ownPolicies', workload: nameOf(workload) });
  if (there.state !== 'captured') return done('ok', { fact: 'policiesPassedBy', workload: nameOf(workload) });
  const { view, workload: own } = there;
  if (!view.knows('policies')) {
    const why = `the policies of ${view.ref.name} could not be read`;
    return done('unknown', { fact: 'policiesUnknown', why });
  }
  const explanation = explainPolicies(view.policies.applyingTo(own), {
    caller: isHbone && client.identity !== undefined ? callerOf(client.identity) : undefined,
    source: client.address,
    destination: address,
    // What a waypoint in ztunnel's care is handed, it gets at the port of its tunnel.
    port: isHbone ? (own.applicationTunnel?.port ?? port) : port,
  });
  const { allowed } = explanation.decision;
  const dryRun = noteDryRun(explanation);
  const absent: readonly ReachFact[] =
    explanation.absent.length === 0
      ? []
      : [{ fact: 'absentPolicies', ztunnel: view.ref.name, policies: explanation.absent }];
  const result = allowed === undefined ? 'unknown' : allowed ? 'ok' : 'refused';
  return done(result, { fact: 'policies', explanation }, [...absent, ...(dryRun ? [dryRun] : [])]);
}

const SAID = {
  protocol: ({ protocol }: Workload) => protocol,
  identity: (workload: Workload) => formatIdentity(workload),
} as const;

/** What the two ztunnels have differently. */
function noteDifferences({ view }: Client, { workload }: Hop, there: Enrolment): readonly ReachFact[] {
  if (there.state !== 'captured' || view === undefined || view === there.view) return [];
  const [source, other] = [view.ref.name, there.view.ref.name];
  const name = nameOf(workload);
  const said = Object.entries(SAID).flatMap(([field, of]): readonly ReachFact[] => {
    const [sourceValue, otherValue] = [of(workload), of(there.workload)];
    if (sourceValue === otherValue) return [];
    return [{ fact: 'saidDifferently', workload: name, field, source, sourceValue, other, otherValue }];
  });
  const here = signatureOf(view.policies.applyingTo(workload));
  const differs = here !== signatureOf(there.view.policies.applyingTo(there.workload));
  return [...said, ...(differs ? [{ fact: 'otherPolicies', workload: name, source, other } as const] : [])];
}

/** Equal for the same policies, whichever ztunnel has them. */
export function signatureOf({ enforced, dryRun, absent }: Applying): string {
  const all = [...enforced, ...dryRun].map(({ key, policy }) => [key, policy.action, policy.rules]);
  return JSON.stringify([all, absent]);
}

/** The address from which a workload connects to one of that family; undefined where it has none. */
export function addressFor({ addresses }: Workload, destination: Address | undefined): Address | undefined {
  const known = addresses.flatMap((text) => parseAddress(text) ?? []);
  if (destination === undefined) return known[0];
  return known.find(({ bytes }) => bytes.length === destination.bytes.length);
}
