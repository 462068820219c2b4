// Writes src/decode/generated/messages.ts from proto/, unless it is newer than everything that it is made of.
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import protobuf from 'protobufjs';
import { writeMessages } from './messages.ts';

const ROOT = join(import.meta.dirname, '..');
const PROTO = join(ROOT, 'proto');
const OUT = join(ROOT, 'src', 'decode', 'generated', 'messages.ts');
const PROTOBUFJS = join(ROOT, 'node_modules', 'protobufjs');
/** Besides proto/: what decides how the output looks. */
const MAKERS = [
  ...['generate.ts', 'messages.ts'].map((name) => join(import.meta.dirname, name)),
  join(PROTOBUFJS, 'package.json'),
];

/** Everything below a folder and the folder itself: removing a file changes only folders. */
function withFolders(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...inside.map((name) => join(folder, name))];
}

function isFresh(): boolean {
  const written = statSync(OUT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [...withFolders(PROTO), ...MAKERS].every((path) => statSync(path).mtimeMs < written);
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

function generate(): void {
  const files = withFolders(PROTO).filter((path) => path.endsWith('.proto'));
  const text = writeMessages(loadRoot(files.sort()));
  mkdirSync(join(OUT, '..'), { recursive: true });
  // Whoever generates at the same time writes the same text; a rename lets nobody read half a file.
  const temporary = `${OUT}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUT);
  console.error(`${relative(ROOT, OUT)}: ${files.length} files, ${text.split('\n').length} lines`);
}

if (!isFresh()) generate();
