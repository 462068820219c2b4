// Which version a ztunnel pod's image names.

import type { Pod } from '../kubernetes.ts';

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
