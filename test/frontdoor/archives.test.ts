// Snapshots and archives from strangers: what no honest one holds is refused by name, in one sentence.

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Header, pack } from 'tar-stream';
import { startMesh } from '../mesh/mesh.ts';
import { scenario } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a'];

const folder = temporaryDirectory();
let good: string;
let counter = 0;
beforeAll(async () => {
  const mesh = await startMesh(
    await scenario({ at, nodes, workloads: [deployment('shop/web', { on: nodes })] }),
  );
  good = path.join(folder, 'good');
  await run(`snapshot ${good}`, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
  await mesh.close();
});

type Entry = readonly [header: Partial<Header> & { readonly name: string }, content: string | Buffer];

/** The good snapshot's files, in a folder `x/` as people pack them. */
function goodEntries(prefix = 'x/'): readonly Entry[] {
  const names = readdirSync(good, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  return names.map((name) => [{ name: `${prefix}${name}` }, readFileSync(path.join(good, name))]);
}

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header as Header, content);
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Buffer>));
}

async function archiveOf(entries: readonly Entry[]): Promise<string> {
  const file = path.join(folder, `archive-${counter++}.tar.gz`);
  writeFileSync(file, gzipSync(await tarOf(entries)));
  return file;
}

/** One sentence about the file, exit code 1, no data, and nothing left in the temporary folder. */
async function expectRefusal(file: string, why: RegExp): Promise<void> {
  const temporary = mkdtempSync(path.join(folder, 'tmp-'));
  const { code, stdout, stderr } = await run(`certs -f ${file}`, { clock, env: { TMPDIR: temporary } });
  expect(stderr).toMatch(why);
  expect(stderr).toContain(file);
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  });
  expect(stderr).not.toMatch(/internal error/);
  expect(readdirSync(temporary)).toEqual([]);
}

describe('an archive that is read', () => {
  test.each([
    ['in a folder', 'x/'],
    ['in no folder', ''],
    ['below .', './'],
    ['in a folder below .', './x/'],
  ])('%s says what the folder says', async (_, prefix) => {
    const file = await archiveOf(goodEntries(prefix));
    const [archived, plain] = await Promise.all([run(`certs -f ${file}`), run(`certs -f ${good}`)]);
    expect(plain.stdout).toContain('shop/web');
    expect(archived).toEqual(plain);
  });

  test('may hold folders and other files, which are not looked at', async () => {
    const more: readonly Entry[] = [
      [{ name: 'x/', type: 'directory' }, ''],
      [{ name: 'x/README' }, 'hello'],
      [{ name: `x/${'deep/'.repeat(60)}name` }, 'a long name'],
    ];
    const { code } = await run(`certs -f ${await archiveOf([...more, ...goodEntries()])}`);
    expect(code).toBe(0);
  });

  test('is known by its content, whatever its name', async () => {
    const file = path.join(folder, 'no-ending');
    writeFileSync(file, gzipSync(await tarOf(goodEntries())));
    expect((await run(`certs -f ${file}`)).code).toBe(0);
  });
});

describe('an archive is refused that holds', () => {
  const cases: readonly (readonly [name: string, entry: Entry, why: RegExp])[] = [
    ['a way up', [{ name: 'x/../../evil' }, ''], /"x\/\.\.\/\.\.\/evil" leads out/],
    ['an absolute path', [{ name: '/etc/evil' }, ''], /"\/etc\/evil" leads out/],
    ['a path of Windows', [{ name: 'x\\..\\evil' }, ''], /leads out/],
    [
      'a symbolic link',
      [{ name: 'x/dumps/a.json', type: 'symlink', linkname: '/etc/passwd' }, ''],
      /is a symlink/,
    ],
    ['a hard link', [{ name: 'x/dumps/a.json', type: 'link', linkname: '/etc/passwd' }, ''], /is a link/],
    ['a device', [{ name: 'x/dumps/a.json', type: 'character-device' }, ''], /is a character-device/],
    ['a pipe', [{ name: 'x/dumps/a.json', type: 'fifo' }, ''], /is a fifo/],
    ['a file twice', [{ name: 'x/manifest.json' }, '{}'], /"x\/manifest\.json" twice/],
  ];
  test.each(cases)('%s', async (_, entry, why) => {
    await expectRefusal(await archiveOf([...goodEntries(), entry]), why);
  });

  test('control characters in a name, which do not reach the terminal', async () => {
    await expectRefusal(await archiveOf([[{ name: '/\u001b[31mred' }, '']]), /leads out/);
    const { stderr } = await run(`certs -f ${await archiveOf([[{ name: '/\u001b[31mred' }, '']])}`);
    expect(stderr).not.toContain('\u001b');
  });

  test('a bomb', async () => {
    const zeros = Buffer.alloc(65 * 1024 * 1024);
    await expectRefusal(
      await archiveOf([[{ name: 'x/dumps/a.json' }, zeros]]),
      /more than 200 times its size/,
    );
  });

  test('a bomb among what is not looked at', async () => {
    const zeros = Buffer.alloc(65 * 1024 * 1024);
    await expectRefusal(await archiveOf([[{ name: 'x/README' }, zeros]]), /more than 200 times its size/);
  });

  test('a header that fills the memory', async () => {
    const long = { name: 'x/a', pax: { comment: 'x'.repeat(3 * 1024 * 1024) } };
    await expectRefusal(await archiveOf([[long, '']]), /a header of more than 1024 KiB/);
  });

  test('nothing of ours', async () => {
    await expectRefusal(
      await archiveOf([[{ name: 'a/b' }, 'c']]),
      /neither the manifest\.json of a snapshot nor/,
    );
  });
});

describe('an archive that can not be unpacked', () => {
  test('cut off', async () => {
    const file = await archiveOf(goodEntries());
    truncateSync(file, 3000);
    await expectRefusal(file, /can't be unpacked/);
  });

  test.each([
    ['compressed, but no archive', gzipSync('{"certificates": []}'.repeat(100))],
    ['not even compressed', Buffer.of(0x1f, 0x8b)],
  ])('%s is a dump that must be unpacked first', async (_, content) => {
    const file = path.join(folder, 'dump.json.gz');
    writeFileSync(file, content);
    const { code, stdout, stderr } = await run(`certs -f ${file}`, { clock });
    expect(stderr).toMatch(/^error: dump\.json\.gz: this is compressed with gzip, .*gunzip/);
    expect([code, stdout]).toEqual([1, '']);
  });
});

test('without a place to unpack an archive, it is named, and TMPDIR with it', async () => {
  const file = await archiveOf(goodEntries());
  const { code, stdout, stderr } = await run(`certs -f ${file}`, {
    env: { TMPDIR: path.join(folder, 'nowhere') },
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: there is no place to unpack an archive: .*nowhere.*\. Set TMPDIR to /);
});

describe('from standard input', () => {
  const read = (stdin: Buffer) => run('certs -f -', { clock, stdin });

  test('an archive is named as one, and by its path instead', async () => {
    const { code, stdout, stderr } = await read(readFileSync(await archiveOf(goodEntries())));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: stdin: an archive can't be read from standard input\. Name it by its path/,
    );
    expect(stderr).not.toContain('gunzip');
  });

  test('a compressed dump must be unpacked first', async () => {
    expect((await read(gzipSync('{"certificates": []}'))).stderr).toMatch(/compressed with gzip.*gunzip/);
  });
});

describe('a snapshot is refused', () => {
  /** A copy of the good one, changed. */
  function spoiled(spoil: (place: string) => void): string {
    const place = path.join(folder, `spoiled-${counter++}`);
    cpSync(good, place, { recursive: true });
    spoil(place);
    return place;
  }
  const dumpIn = (place: string) => path.join(place, 'dumps', readdirSync(path.join(place, 'dumps'))[0]!);
  const manifest = (change: (text: string) => string) => (place: string) => {
    const file = path.join(place, 'manifest.json');
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
  };

  const cases: readonly (readonly [name: string, spoil: (place: string) => void, why: RegExp])[] = [
    [
      'with a dump that was changed',
      (place) => writeFileSync(dumpIn(place), readFileSync(dumpIn(place), 'utf8').replace('shop', 'shoq')),
      /its dumps\/\S+\.json is not the one that was saved/,
    ],
    [
      'with a dump that is longer',
      (place) => writeFileSync(dumpIn(place), ' ', { flag: 'a' }),
      /its dumps\/\S+ is not the one that was saved/,
    ],
    [
      'with a list that was changed',
      (place) => writeFileSync(path.join(place, 'objects/pods.pb'), ''),
      /its objects\/pods\.pb is not the one/,
    ],
    ['without a file', (place) => rmSync(dumpIn(place)), /its dumps\/\S+ does not exist/],
    [
      'with a link for a file',
      (place) => {
        const dump = dumpIn(place);
        rmSync(dump);
        symlinkSync('/etc/passwd', dump);
      },
      /its dumps\/\S+ is a link/,
    ],
    [
      'whose files are elsewhere',
      manifest((text) => text.replace(/"dumps\/[^"]+"/, '"../../etc/passwd"')),
      /ztunnels\[0\]\.dump\.file is no name/,
    ],
    [
      'whose manifest is not JSON',
      manifest((text) => text.slice(0, -5)),
      /manifest\.json can't be read: it is not JSON/,
    ],
    [
      'whose manifest is of another kind',
      manifest((text) => text.replace('"Snapshot"', '"Other"')),
      /of kind "ztunnel\.kubectl\/v1\/Other"/,
    ],
    [
      'whose manifest lacks the time',
      manifest((text) => text.replace('"time"', '"tim"')),
      /reference\.time is missing/,
    ],
    [
      'whose time is none',
      manifest((text) => text.replace(/"time": "[^"]+"/, '"time": "soon"')),
      /reference\.time is no time/,
    ],
    [
      'whose checksum is none',
      manifest((text) => text.replace(/"sha256": "[^"]+"/, '"sha256": "x"')),
      /sha256 is no checksum/,
    ],
    [
      'whose size is none',
      manifest((text) => text.replace(/"bytes": \d+/, '"bytes": -1')),
      /bytes is no size/,
    ],
    [
      'whose lists are no list',
      manifest((text) => text.replace('"lists": [', '"lists": {"__proto__": []}, "x": [')),
      /lists is an object/,
    ],
  ];
  test.each(cases)('%s', async (_, spoil, why) => {
    const place = spoiled(spoil);
    await expectRefusal(place, why);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  test('in an archive with a wrong checksum', async () => {
    const entries = goodEntries().map(
      ([header, content]): Entry =>
        header.name.includes('/dumps/') ? [header, `${content} `] : [header, content],
    );
    await expectRefusal(await archiveOf(entries), /its dumps\/\S+ is not the one that was saved/);
  });
});

test.each(['certs -f', 'diff'])(
  '%s: a snapshot without ztunnels is not a matter of contexts',
  async (line) => {
    const place = path.join(folder, `without-${counter++}`);
    cpSync(good, place, { recursive: true });
    const file = path.join(place, 'manifest.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ztunnels: [] }));
    const { stdout, stderr } = await run(line === 'diff' ? `diff ${place} ${good}` : `${line} ${place}`);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: no ztunnel is in what was saved\. Take the snapshot again/);
  },
);

test('a snapshot stands alone', async () => {
  for (const [commandLine, why] of [
    [`certs -f ${good} -f other.json`, /read alone/],
    [`certs -f ${good} --resources ${folder}`, /--resources and the snapshot/],
  ] as const) {
    const { code, stderr } = await run(commandLine);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(why) });
  }
});

describe('a bug report', () => {
  const dump = readFileSync(path.resolve(import.meta.dirname, '../testdata/dumps/node-a.config_dump.json'));
  const report: readonly Entry[] = [
    [{ name: 'bug-report/versions' }, 'CLI version: 1.28'],
    [{ name: 'bug-report/cluster/k8s-resources' }, 'apiVersion: v1'],
    [{ name: 'bug-report/proxies/istio-system/ztunnel-x7k2p/config_dump' }, dump],
    [{ name: 'bug-report/proxies/istio-system/ztunnel-x7k2p/netstat' }, 'Active'],
    [{ name: 'bug-report/proxies/shop/web-1/config_dump?include_eds' }, '{"configs": []}'],
    [{ name: 'bug-report/proxies/shop/web-2/config_dump' }, '{\n "configs": []}'],
  ];

  test('is read as far as it holds dumps of ztunnels, named as it names them', async () => {
    const file = await archiveOf(report);
    const now = '--now 2026-11-29T23:00:00Z';
    const [{ stdout, code }, plain] = await Promise.all([
      run(`certs -o json -f ${file} ${now}`),
      run(['certs', '-o', 'json', '-f', '-', ...now.split(' ')], { stdin: dump }),
    ]);
    expect(code).toBe(0);
    const [items, others] = [JSON.parse(stdout).items, JSON.parse(plain.stdout).items];
    expect(items[0].ztunnel).toEqual({ namespace: 'istio-system', name: 'ztunnel-x7k2p', node: 'node-a' });
    const unnamed = (list: { ztunnel: object }[]) => list.map(({ ztunnel: _, ...rest }) => rest);
    expect(unnamed(items)).toEqual(unnamed(others));
  });

  test('finds its pods in --resources', async () => {
    const file = await archiveOf(report);
    const pods = path.resolve(import.meta.dirname, '../testdata/kubernetes/all-pods.pb');
    const { stdout } = await run(`certs -f ${file} --resources ${pods} --now 2026-11-29T23:00:00Z`);
    expect(stdout).toMatch(/StatefulSet\/cart|Deployment\/|ReplicaSet\//);
  });
});
