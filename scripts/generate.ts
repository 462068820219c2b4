// Writes src/decode/generated/ from proto/, unless it is newer than everything that it is made of.
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import protobuf from 'protobufjs';
import { writeDescriptors } from './descriptors.ts';
import { writeMessages } from './messages.ts';

const ROOT = join(import.meta.dirname, '..');
const PROTO = join(ROOT, 'proto');
const OUT = join(ROOT, 'src', 'decode', 'generated');
const WRITERS = { 'messages.ts': writeMessages, 'descriptors.ts': writeDescriptors };
const PROTOBUFJS = join(ROOT, 'node_modules', 'protobufjs');
/** Besides proto/: what decides how the output looks. */
const MAKERS = [
  ...['generate.ts', 'messages.ts', 'schema.ts', 'descriptors.ts'].map((name) =>
    join(import.meta.dirname, name),
  ),
  join(PROTOBUFJS, 'package.json'),
];

/** Everything below a folder and the folder itself: removing a file changes only folders. */
function withFolders(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...inside.map((name) => join(folder, name))];
}

function isFresh(): boolean {
  const written = Object.keys(WRITERS).map(
    (name) => statSync(join(OUT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const oldest = Math.min(...written);
  return [...withFolders(PROTO), ...MAKERS].every((path) => statSync(path).mtimeMs < oldest);
}

function loadRoot(files: readonly string[]): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    target.startsWith('google/')
      ? join(PROTOBUFJS, target)
      : files.includes(target)
        ? target
        : join(PROTO, target);
  root.loadSync([...files], { keepCase: true });
  root.resolveAll();
  return root;
}

function write(name: string, text: string): void {
  const file = join(OUT, name);
  // Whoever generates at the same time writes the same text; a rename lets nobody read half a file.
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
  console.error(`${relative(ROOT, file)}: ${text.split('\n').length} lines`);
}

function generate(): void {
  const files = withFolders(PROTO).filter((path) => path.endsWith('.proto'));
  const root = loadRoot(files.sort());
  mkdirSync(OUT, { recursive: true });
  for (const [name, writer] of Object.entries(WRITERS)) write(name, writer(root));
}

if (!isFresh()) generate();
