// How the bundle's chunks become a few scripts, from what every start needs to what few commands do.

import path from 'node:path';
import { type Metafile, type OutputFile, transform } from 'esbuild';

/**
 * The parts in the order in which bin/launch.cjs opens them. Each has the chunks that its entries load before anything
 * is awaited, except those of the parts before it; the last has what is left.
 */
export const PARTS = [
  // Help and completion belong to every start: somebody waits for them, and they are small.
  {
    name: 'kubectl-ztunnel.cjs',
    entries: /(?:^|\/)(?:bin\/main|src\/(?:argv\/help|completion\/complete))\.ts$/,
  },
  {
    name: 'kubectl-ztunnel-files.cjs',
    entries:
      /(?:^|\/)src\/(?:runcommand|commands\/run\/(?:certs|workloads)|cluster\/(?:saved|files)|decode\/manifest)\.ts$/,
  },
  {
    name: 'kubectl-ztunnel-mesh.cjs',
    entries: /(?:^|\/)src\/(?:cluster\/kube(?:configfiles)?|decode\/object|completion\/asking)\.ts$/,
  },
  { name: 'kubectl-ztunnel-rest.cjs', entries: /^/ },
] as const;

/** The texts of the parts by their names. */
export async function makeParts(
  files: readonly OutputFile[],
  { outputs }: Metafile,
): Promise<Readonly<Record<string, string>>> {
  const chunks = await Promise.all(
    files.map(async ({ path: file, text }) => ({ name: path.basename(file), code: await toFunction(text) })),
  );
  const placed = new Set<string>();
  const parts = PARTS.map(({ name, entries }) => {
    const loaded = chunksLoadedBy(entries, outputs);
    const members = chunks.filter((chunk) => loaded.has(chunk.name) && !placed.has(chunk.name));
    for (const member of members) placed.add(member.name);
    return [name, render(members)] as const;
  });
  return Object.fromEntries(parts);
}

interface Chunk {
  readonly name: string;
  readonly code: string;
}

/** An object of functions, none of which V8 looks into before it is called. */
function render(chunks: readonly Chunk[]): string {
  const members = chunks.map(
    ({ name, code }) => `${JSON.stringify(`./${name}`)}(require,module,exports){${code}\n}`,
  );
  return `({${members.join(',\n')}})`;
}

/** The names of the chunks that those modules load before anything is awaited, theirs included. */
function chunksLoadedBy(entries: RegExp, outputs: Metafile['outputs']): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path: next, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && next in outputs) visit(next);
    }
  };
  for (const [file, { entryPoint, inputs }] of Object.entries(outputs)) {
    // A chunk that only passes on what others have has no inputs.
    if ([entryPoint ?? '', ...Object.keys(inputs)].some((input) => entries.test(input))) visit(file);
  }
  return new Set([...found].map((file) => path.basename(file)));
}

/** The body of a function that is given `require`, `module` and `exports`. */
async function toFunction(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    // `import()` of a module of the bundle becomes a require that is not called before.
    supported: { 'dynamic-import': false },
  });
  return asAscii(code);
}

/** One character beyond Latin-1 (esbuild leaves them in regular expressions) would make V8 hold the text in twice the memory. */
function asAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
