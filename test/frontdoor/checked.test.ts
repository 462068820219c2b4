// What `check` says that it has looked at: what was asked about, and nothing where nothing could be read.

import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const dumps = ['a', 'b'].map((node) => `-f ${testdata}/dumps/node-${node}.config_dump.json`).join(' ');
const objects = ['pods', 'replicasets', 'jobs', 'statefulsets']
  .map((kind) => `--resources ${testdata}/kubernetes/all-${kind}.json`)
  .join(' ');
const saved = `${dumps} ${objects} --now 2026-11-29T22:03:42Z`;

describe('the certificates counted are those', () => {
  test.each([
    ['of a Deployment', 'deploy/web', /^no findings in 2 certificates on 2 of 2 ztunnels\./],
    ['of a pod', 'postgres-0', /^no findings in 1 certificate on 1 of 1 ztunnel\./],
    ['of an identity', 'spiffe://cluster.local/ns/shop/sa/cart', /^no findings in 2 certificates on 2 of 2/],
    ['with labels', '-l app=web', /^no findings in 2 certificates on 2 of 2/],
    ['of a namespace', '-n data', /^no findings in 1 certificate on 2 of 2 ztunnels\./],
    ['of all', '', / in 11 certificates on 2 of 2 ztunnels: /],
  ])('%s', async (_, args, says) => {
    expect((await run(`check ${args} ${saved}`)).stderr).toMatch(says);
  });

  test('in metrics, too', async () => {
    const { stdout } = await run(`check deploy/web ${saved} -o prometheus`);
    const identities = stdout.matchAll(/^ztunnel_certificate_not_after_seconds\{identity="([^"]+)"/gm);
    expect([...identities].map(([, identity]) => identity)).toEqual([
      'spiffe://cluster.local/ns/shop/sa/web',
      'spiffe://cluster.local/ns/shop/sa/web',
    ]);
  });
});

describe('where nothing could be read', () => {
  const broken = '{"certificates":5,"workloads":"x"}';
  test.each([
    ['a file that is not there', '-f /nowhere/dump.json', '', '0 of 1 ztunnel answered'],
    ['a dump whose sections are none', '-f -', broken, 'no certificates could be read on 1 ztunnel'],
  ])('%s', async (_, args, stdin, why) => {
    const { code, stdout, stderr } = await run(`check ${args}`, { stdin });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(new RegExp(`^nothing could be checked: ${why}\\.\nerror: `));
    const junit = await run(`check ${args} -o junit`, { stdin });
    expect(junit.stdout).toMatch(
      /name="EXPIRED: .*>\n +<skipped message="not evaluated: no certificates could be read"/,
    );
  });

  test('but of one of two dumps, the other is counted', async () => {
    const { code, stderr } = await run(`check -f - ${saved}`, { stdin: broken });
    expect(stderr).toMatch(/ in 11 certificates on 3 of 3 ztunnels: /);
    expect(code).toBe(2);
  });
});
