// What the tests of this folder are told of where they run.

import type { Announcement } from './controlplane.ts';

export interface Surroundings {
  /** A kubeconfig that leads to the cluster. */
  readonly kubeconfig: string;
  /** The context of a user who may read the whole mesh; the current one if absent. */
  readonly context?: string;
  /** The seeded control plane; undefined on any other cluster, to which nothing may be written. */
  readonly controlPlane?: Announcement & {
    /** The control plane's program, for a test that needs one of its own. */
    readonly binary: string;
    /** When the mesh was made (RFC 3339): certificates and ages count from it. */
    readonly at: string;
  };
}

/** The environment variable that carries it, as JSON. */
export const VARIABLE = 'ZTUNNEL_TEST_SURROUNDINGS';

export function surroundings(): Surroundings {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('these tests are run by `npm run test:cluster`');
  return JSON.parse(text) as Surroundings;
}

/** For tests that are never run on another cluster. */
export function controlPlane(): NonNullable<Surroundings['controlPlane']> {
  const { controlPlane: found } = surroundings();
  if (found === undefined) throw new Error('this test needs the control plane');
  return found;
}
