// How `reach` asks, relates and reports.

import { UserError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { inTurns, takeTurns } from '../../base/turn.ts';
import type { Wanted } from '../../mesh/asking.ts';
import { type Lookup, learnTargets } from '../../mesh/scope/lookup.ts';
import type { Gathered } from '../../mesh/scope/rounds.ts';
import { SECTIONS, type Service, type Workload } from '../../model/dump.ts';
import { askMatrixInSteps, askRoutes } from '../../model/reach/ask.ts';
import { createVerification } from '../../model/reach/chainverification.ts';
import { type End, findServices, listClients, parseDestination, parseEnd } from '../../model/reach/ends.ts';
import { createMatrix } from '../../model/reach/matrix.ts';
import type { ReachSource } from '../../model/reach/start.ts';
import type { Destination } from '../../model/reach/targets.ts';
import { createReachWorld, type ReachWorld } from '../../model/reach/world.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { findDestinations, findSources, nodesOfEnds, nodesOfSource } from './ends.ts';
import { matrixReport } from './matrix.ts';
import { type Heard, routesReport } from './report.ts';

const WANTED: Wanted = { sections: new Set(SECTIONS), keepRaw: false };

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const { words, to } = options;
  const source = words[0] === undefined ? undefined : parseEnd(words[0]);
  const written = words[1] ?? to;
  const destination = written === undefined ? undefined : parseDestination(written);
  const lookup = await learnTargets(options, WANTED, mesh);
  const before = await askFirst(source, lookup, mesh.cluster.source === 'live');
  const reference = await mesh.reference();
  const at = reference.time.getTime();
  const worldOf = ({ answers, failures }: Gathered) =>
    createReachWorld({ answers, failures, at, verification: createVerification(at) });
  const known = worldOf(before);
  const isKnown = known.views.length > 0;
  const sources = source === undefined || !isKnown ? [] : findSources(source, known, lookup);
  const destinations = !isKnown
    ? []
    : destination === undefined
      ? destinationsFor(sources, known, options)
      : findDestinations(destination, known, lookup);
  // Who is asked last decides: each ztunnel by its own policies and certificates.
  const gathered = await lookup.rounds.ask(lookup.serving(nodesOfEnds(known, sources, destinations)));
  const world = gathered === before ? known : worldOf(gathered);
  await takeTurns(mesh.signal);
  const heard: Heard = { ...gathered, reference, warnings: lookup.warnings, clusterRole: lookup.clusterRole };
  if (source !== undefined && destination !== undefined) {
    const routes = destinations.flatMap((each) => askRoutes(world, sources, each));
    yield routesReport(routes, heard, options);
    return;
  }
  const clients = source === undefined ? clientsFor(world, options) : workloadsAmong(sources);
  const steps = askMatrixInSteps(world, createMatrix(world), clients, destinations);
  const lines = await inTurns(steps, mesh.signal);
  yield matrixReport({ world, lines, toSources: source !== undefined, heard }, options);
}

/** Those of the source, whoever else has to be asked; all if it is not given. One at least, as far as one answers. */
async function askFirst(source: End | undefined, lookup: Lookup, isLive: boolean): Promise<Gathered> {
  const { rounds, ztunnels } = lookup;
  const first = source !== undefined && isLive ? lookup.serving(nodesOfSource(source, lookup)) : ztunnels;
  let gathered = await rounds.ask(first);
  for (const ztunnel of ztunnels) {
    if (gathered.answers.length > 0) break;
    gathered = await rounds.ask([ztunnel]);
  }
  return gathered;
}

/** The services of the sources' namespaces, or of -n or -A. */
function destinationsFor(
  sources: readonly ReachSource[],
  world: ReachWorld,
  { namespace, allNamespaces }: Options,
): readonly Destination[] {
  const own = new Set(workloadsAmong(sources).map((workload) => workload.namespace));
  if (namespace !== undefined) refuseUnknown(namespace, world);
  const isWanted = (service: Service) =>
    allNamespaces || (namespace === undefined ? own.has(service.namespace) : service.namespace === namespace);
  return findServices(world, isWanted).map((service) => ({ kind: 'service', service, port: undefined }));
}

/** Throws UserError for a source that can only be asked about with a destination. */
function workloadsAmong(sources: readonly ReachSource[]): readonly Workload[] {
  return sources.map((source) => {
    if (source.kind === 'workload') return source.workload;
    throw new UserError(
      source.kind === 'kubelet'
        ? `probes of the kubelet of ${source.node} go to pods, not to services`
        : `${source.address.text} is no workload of the mesh, and has no namespace`,
      'Name a destination as well.',
    );
  });
}

function clientsFor(world: ReachWorld, { namespace }: Options): readonly Workload[] {
  const clients = listClients(world);
  if (namespace === undefined) return clients;
  refuseUnknown(namespace, world);
  return clients.filter((client) => client.namespace === namespace);
}

/** Nothing there is one thing, no such place another. */
function refuseUnknown(namespace: string, { views }: ReachWorld): void {
  const known = new Set(
    views.flatMap(({ dump }) => [...dump.workloads, ...dump.services].map((each) => each.namespace)),
  );
  if (known.size === 0 || known.has(namespace)) return;
  const guess = nearest(namespace, [...known]);
  throw new UserError(
    `no ztunnel that answered knows a workload or service in namespace ${namespace}`,
    guess === undefined ? 'Leave -n out, or name another one.' : `Did you mean ${guess}?`,
  );
}
