// Whom the API server takes the program for, by every kubeconfig and flag, and whether kubectl is taken for the same.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ended } from '../spawned.ts';
import { type Case, type Connect, type Expected, FILES, FLAGS, IMPERSONATION } from './connection.ts';
import { hasKubectl, type Whoami, whoami } from './kubectl.ts';
import { openPlace, type Place } from './place.ts';
import { ztunnel } from './program.ts';
import { IMPERSONATED } from './roles.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();
const compared = hasKubectl();

let place: Place;
beforeEach(() => {
  place = openPlace(plane);
  mkdirSync(path.join(place.directory, '.kube'));
});
afterEach(() => place.remove());

/** Nobody without rights gets further than the list of pods, and the refusal says who was refused. */
const userOf = ({ stderr }: Ended) => /User "([^"]+)" cannot list resource "pods"/.exec(stderr)?.[1];

function check(expected: Expected, ours: Ended, kubectls: Whoami | undefined): void {
  if ('ours' in expected) {
    expect([ours.code, ours.stdout]).toEqual([1, '']);
    expect(ours.stderr).toMatch(expected.ours);
    if (kubectls !== undefined)
      expect(kubectls).toEqual({ refusal: expect.stringMatching(expected.kubectls) });
    return;
  }
  // Only the group that the README's ClusterRole is bound to may read the mesh.
  if (expected.groups?.includes(IMPERSONATED.group))
    expect([ours.code, ours.stderr]).toEqual([0, expect.any(String)]);
  else expect(userOf(ours) ?? ours).toBe(expected.user);
  if (kubectls !== undefined) expect(kubectls).toMatchObject(whatKubectlSees(expected));
}

function whatKubectlSees(expected: Extract<Expected, { user: string }>): object {
  if (expected.kubectls instanceof RegExp) return { refusal: expect.stringMatching(expected.kubectls) };
  const { groups, uid } = expected;
  const { user: username } = expected.kubectls ?? expected;
  return { identity: { username, ...(groups && { groups }), ...(uid && { uid }) } };
}

async function askBoth({ argv, env }: Connect): Promise<readonly [Ended, Whoami | undefined]> {
  const surroundings = { HOME: place.directory, ...env };
  return Promise.all([
    ztunnel(['certs', ...argv], { env: surroundings }),
    compared ? whoami(argv, surroundings) : undefined,
  ]);
}

const tables: Readonly<Record<string, readonly Case[]>> = {
  'a kubeconfig': FILES,
  flags: FLAGS,
  impersonation: IMPERSONATION,
};

describe.each(Object.keys(tables))('%s', (name) => {
  test.each(tables[name]!)('%s', async (_, prepare, expected) => {
    const [ours, kubectls] = await askBoth(prepare(place));
    check(expected, ours, kubectls);
    for (const token of [...Object.values(plane.tokens), 'n0t-a-t0ken']) {
      expect(ours.stdout + ours.stderr).not.toContain(token);
    }
  });
});
