// What users with more or fewer rights see, and what they are told is missing.

import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import type { Ended } from '../spawned.ts';
import { ztunnel } from './program.ts';
import { READING } from './reading.ts';
import { readmeRole } from './roles.ts';
import { controlPlane } from './surroundings.ts';

const { kubeconfig } = controlPlane();
const ask = (user: string, argv = 'certs') => ztunnel(`${argv} --kubeconfig ${kubeconfig} --context ${user}`);

const errors = ({ stderr }: Ended) => stderr.split('\n').filter((line) => line.startsWith('error: '));
const warnings = ({ stderr }: Ended) => stderr.split('\n').filter((line) => line.startsWith('warning: '));
/** The YAML that was printed, whole. */
const printedRole = ({ stderr }: Ended) => load(/^apiVersion: rbac[\s\S]*/m.exec(stderr)?.[0] ?? '');

describe('with the ClusterRole of the README', () => {
  test.each(['certs', 'workloads', 'certs -o short', 'certs --group-by root'])(
    '%s lacks nothing',
    async (argv) => {
      const ended = await ask('reader', argv);
      expect(ended.code).toBe(0);
      expect(ended.stderr).not.toMatch(/error|warning|forbidden|ClusterRole/);
      expect(ended.stdout).toMatch(/cart|ROOT/);
    },
  );
});

test.each(READING)('%s needs no other right than those of the README', async (command) => {
  const { stderr } = await ask('reader', command);
  expect(stderr).not.toMatch(/forbidden|refuses|ClusterRole/);
});

describe('without rights', () => {
  test('the missing one is named, and the ClusterRole printed is that of the README', async () => {
    const ended = await ask('stranger');
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(errors(ended)).toEqual([
      expect.stringMatching(
        /^error: the API server https:\S+ refuses: pods is forbidden: User "stranger" cannot list resource "pods" in API group "" at the cluster scope\. This needs "list" on "pods" in all namespaces; /,
      ),
    ]);
    expect(printedRole(ended)).toEqual(readmeRole());
  });

  test('to list anything, forwarding alone is of no use', async () => {
    const ended = await ask('nolist');
    expect([ended.code, ended.stdout, errors(ended).length]).toEqual([1, '', 1]);
    expect(ended.stderr).toContain('User "nolist" cannot list resource "pods"');
    expect(printedRole(ended)).toEqual(readmeRole());
  });

  test.each([
    ['noforward', /User "noforward" cannot get resource "pods\/portforward"/],
    // The server says no more than that when only `create` is missing.
    ['getforward', /refuses: pods "\S*ztunnel-\w+" is forbidden\./],
  ])('to forward (%s), each ztunnel says so and the ClusterRole is printed once', async (user, words) => {
    const ended = await ask(user);
    expect(ended.code).toBe(1);
    expect(errors(ended)).toHaveLength(4);
    for (const line of errors(ended)) {
      expect(line).toMatch(words);
      expect(line).toMatch(
        / on node node-[a-d]: .*This needs "get" and "create" on "pods\/portforward" in namespace/,
      );
    }
    expect(ended.stderr.match(/^kind: ClusterRole$/gm)).toHaveLength(1);
    expect(printedRole(ended)).toEqual(readmeRole());
  });
});

describe('with rights in one namespace', () => {
  test('its ztunnels are asked, and what is not known is said', async () => {
    const ended = await ask('namespaced');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^OK +shop\/cart +node-a +in \S+ +\?$/m);
    expect(ended.stdout).not.toContain('edge/gateway');
    expect(warnings(ended)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /ztunnels were searched for in .*istio-system only; --ztunnel-namespace names another/,
        ),
        expect.stringMatching(/cannot list resource "pods".*owners and MISSING certificates are not known/),
      ]),
    );
  });

  test('that is not the one asked for, the refusal names it', async () => {
    const ended = await ask('namespaced', 'certs --ztunnel-namespace kube-system');
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(errors(ended)).toEqual([expect.stringContaining('"list" on "pods" in namespace kube-system')]);
  });
});
