// Which node, version and cluster a ztunnel has, and which dumps do not say their node.

import { compareBy, compareText } from '../../base/order.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer, Ztunnel, ZtunnelRef } from '../types.ts';

/** The node of a ztunnel that answered: its pod's, or what its own dump says. */
export function nodeOf({ ztunnel, dump }: Answer): string | null {
  return ztunnel.node ?? dump.config.localNode ?? null;
}

/** How a ztunnel that answered is referred to. */
export function refOf(answer: Answer): ZtunnelRef {
  const { namespace, name } = answer.ztunnel;
  return { namespace, name, node: nodeOf(answer) };
}

/** Tells a ztunnel from all others. */
export function keyOfZtunnel({ namespace, name }: Pick<Ztunnel, 'namespace' | 'name'>): string {
  return `${namespace ?? ''}/${name}`;
}

/** By namespace and name. */
export const compareRefs = compareBy<ZtunnelRef>(
  (a, b) => compareText(a.namespace ?? '', b.namespace ?? ''),
  (a, b) => compareText(a.name, b.name),
);

/** By node, then by namespace and name: how ztunnels themselves are listed. */
export const compareByNode = compareBy<ZtunnelRef>(
  (a, b) => compareText(a.node ?? '', b.node ?? ''),
  compareRefs,
);

/** Its name alone where only one cluster is asked; null for what is on no node that is known. */
export function keyOfNode({
  cluster,
  node,
}: {
  readonly cluster?: string | undefined;
  readonly node: string | null;
}): string | null {
  return cluster === undefined ? node : `${cluster}/${node ?? ''}`;
}

/** The names of dumps that list certificates and no node: nobody can know what they ought to list. */
export function listNodeless(answers: readonly Answer[]): readonly string[] {
  return answers
    .filter((answer) => nodeOf(answer) === null && answer.dump.sections.has('certificates'))
    .map(({ ztunnel }) => ztunnel.name);
}

const NAMES_SHOWN = 5;

/** The sentence that names them; undefined if there are none. */
export function describeNodeless(answers: readonly Answer[]): string | undefined {
  const names = listNodeless(answers);
  if (names.length === 0) return undefined;
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const shown = `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  const why = names.length === 1 ? 'it does not name its node' : 'they do not name their nodes';
  return `MISSING certificates were not looked for in ${shown}, and owners are not known: ${why} (config.localNode).`;
}

/** The tag of the image, else the start of its digest; undefined where the pod's status has neither. */
export function findImageTag({ status }: Pod): string | undefined {
  const images = status?.containerStatuses?.flatMap(({ image }) => image ?? []) ?? [];
  // A mesh may inject containers of its own beside ztunnel's.
  const image = images.find((each) => nameOf(each).includes('ztunnel')) ?? images[0];
  if (image === undefined) return undefined;
  const [name = '', digest] = image.split('@', 2);
  // A registry's port stands before the last slash.
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  return tag ?? digest?.replace(/^sha256:/, '').slice(0, 12);
}

function nameOf(image: string): string {
  return image.split('@', 1)[0]!.split('/').at(-1)!;
}
