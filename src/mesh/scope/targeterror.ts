// What is said when TARGET is not found, is found more than once, or is nothing to wait for.

import { AbsentTargetError, UserError } from '../../base/errors.ts';
import type { FoundTarget, TargetPlaces } from '../../model/targets/findtarget.ts';
import { formatTarget, type Target, type TargetType } from '../../model/targets/target.ts';
import type { TargetWorld } from '../../model/targets/targetworld.ts';
import { listMeant } from './meant.ts';

const MOST_SHOWN = 3;
const NODES_SHOWN = 5;

/** The names are the same in several namespaces. */
export function ambiguousTarget(
  { type }: Target,
  { name, namespaces }: Extract<FoundTarget, { what: 'ambiguous' }>,
): UserError {
  const shown = namespaces.slice(0, 10).join(', ') + (namespaces.length > 10 ? ', …' : '');
  return new UserError(
    `${formatTarget(type, name)} is in ${namespaces.length} namespaces: ${shown}`,
    `Write ${formatTarget(type, name, namespaces[0])}, or name one with -n.`,
  );
}

/** All its pods are on the host's network. */
export function targetOnHost({ type, name }: Target): UserError {
  return new UserError(
    `${formatTarget(type, name)} has only pods on the host's network (hostNetwork), which get no certificate`,
    'There is nothing to wait for: ztunnel captures only pods that have a network of their own.',
  );
}

/** Where TARGET was looked for. */
export interface Searched {
  readonly world: TargetWorld;
  readonly places: TargetPlaces;
  /** What was saved (`-f`), and no live mesh. */
  readonly saved: boolean;
}

/** Nothing goes by that name; the next step is what was likely meant. `identities` are all that are known of. */
export function absentTarget(target: Target, searched: Searched, identities: readonly string[]): UserError {
  const { world, places } = searched;
  const { type, name } = target;
  if (type !== 'identity' && !KNOWN_FROM_DUMPS.has(type) && !world.knowsControllers) {
    return new UserError(
      `${formatTarget(type, name)} can't be looked up: config dumps name pods, not what owns them`,
      'Add --resources with what `kubectl get pods,rs,jobs -A -o yaml` prints, or name a pod.',
    );
  }
  const meant = listMeant(target, world, places, identities);
  return new AbsentTargetError(
    absence(target, places),
    meant.length === 0
      ? whereToLook(type, searched)
      : `Did you mean ${meant.slice(0, MOST_SHOWN).join(' or ')}?`,
  );
}

/** Nothing is alike. */
function whereToLook(type: Target['type'], { world: { nodes }, saved }: Searched): string {
  if (type === 'node' && nodes.length > 0) {
    const more = nodes.length > NODES_SHOWN ? ` and ${nodes.length - NODES_SHOWN} more` : '';
    return `The nodes are ${nodes.slice(0, NODES_SHOWN).join(', ')}${more}.`;
  }
  // A whole command line without its -f would ask a live mesh.
  return saved
    ? 'The command workloads shows what there is, with the same -f and --resources.'
    : 'See what there is with: kubectl ztunnel workloads';
}

const KNOWN_FROM_DUMPS: ReadonlySet<string> = new Set([
  'pod',
  'serviceaccount',
  'node',
] satisfies TargetType[]);

function absence(target: Target, { given }: TargetPlaces): string {
  const shown = formatTarget(target.type, target.name);
  const where = given === undefined ? '' : ` in namespace ${given}`;
  if (target.type === 'identity') return `no pod runs as ${shown}, and no ztunnel lists it`;
  if (target.type === 'node') return `there is no ${shown} with a ztunnel or a pod`;
  // Only pods are listed: what has none can't be told from what is not there.
  return target.type === 'pod' ? `there is no pod ${shown}${where}` : `there is no pod of ${shown}${where}`;
}
