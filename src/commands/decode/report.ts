// What `decode` says of objects that it could not show as a whole.

import { messageOf, UserError } from '../../base/errors.ts';
import type { FieldSummary, Findings } from '../../decode/complete/findings.ts';
import type { UnknownField } from '../../decode/complete/read.ts';
import type { Failure } from '../../model/types.ts';

/** After so many of one input, the rest is counted. */
const MAX_NOTES = 20;

interface Note {
  readonly severity: Failure['severity'];
  readonly message: string;
  readonly hint: string;
  /** How often the same was found. */
  times: number;
}

export interface Notes {
  /** What is found in an input, at a key of etcd if there is one. */
  readonly at: (input: string, key: string) => Findings;
  /** Something else that is wrong with an input. */
  readonly add: (input: string, thrown: unknown) => void;
  readonly failures: () => readonly Failure[];
}

const NEWER_HINT =
  'A newer Kubernetes than 1.35 wrote it: get a newer kubectl ztunnel, or take what there is with --partial.';
const KIND_HINT =
  'kubectl ztunnel decode --list-kinds shows the kinds that are known; --partial takes what there is.';

function sizeOf({ number, count, bytes, type }: FieldSummary): string {
  const times = count === 1 ? '' : `${count} × `;
  return type === 'bytes' ? `${number} (${times}${bytes} bytes)` : `${number} (${times}${type})`;
}

/** `spec.containers[3]` and `spec.containers[0]` lack the same field. */
function sameFor(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

function describeUnknown(object: string, { path, number, bytes }: UnknownField): string {
  return `${object} has a field ${number} of ${bytes} bytes${path === '' ? '' : ` in ${path}`} that is not known here, and is left out`;
}

function describeKind(object: string, apiVersion: string, fields: readonly FieldSummary[]): string {
  const unknown = fields.length === 0 ? 'none' : fields.slice(0, 30).map(sizeOf).join(', ');
  return `${object} is of a kind in ${apiVersion} that is not known here: besides its metadata it has the fields ${unknown}`;
}

const CUT_HINT = 'Ask etcd again without --limit, or take what there is with --partial.';

function describeCut(given: number, count: number | undefined): string {
  const part = count === undefined ? `only the first ${given}` : `${given} of ${count}`;
  return `these are ${part} keys: etcd was asked for no more`;
}

const severer = (a: Note['severity'], b: Note['severity']): Note['severity'] => (a === 'error' ? a : b);

/** The notes of one input: the same thing once, and not too many. */
function createPile() {
  const notes = new Map<string, Note>();
  const others = { count: 0, severity: 'warning' as Note['severity'] };
  return {
    put(key: string, note: Omit<Note, 'times'>): void {
      const known = notes.get(key);
      if (known !== undefined) known.times += 1;
      else if (notes.size < MAX_NOTES) notes.set(key, { ...note, times: 1 });
      else {
        others.count += 1;
        others.severity = severer(others.severity, note.severity);
      }
    },
    list(): readonly Note[] {
      if (others.count === 0) return [...notes.values()];
      const message = `${others.count} more findings of other kinds are not shown`;
      return [...notes.values(), { severity: others.severity, message, hint: '', times: 1 }];
    },
  };
}

function failureOf(input: string, { severity, message, hint, times }: Note): Failure {
  const ztunnel = { namespace: null, name: input, node: null };
  return { ztunnel, severity, message: times === 1 ? message : `${message} (${times} times)`, hint };
}

type Put = (key: string, note: Omit<Note, 'times'>) => void;

/** Anything but a UserError is a bug of ours. */
function putBroken(put: Put, place: string, thrown: unknown): void {
  if (!(thrown instanceof UserError)) throw thrown;
  const message = `${place}${messageOf(thrown)}`;
  put(`broken ${message}`, { severity: 'error', message, hint: thrown.hint });
}

function findingsFor(put: Put, place: string, left: Note['severity']): Findings {
  const kindOf = (object: string): string => object.split(' ', 1)[0] ?? '';
  return {
    unknownField: (object, field) =>
      put(`field ${kindOf(object)} ${sameFor(field.path)} ${field.number}`, {
        severity: left,
        message: `${place}${describeUnknown(object, field)}`,
        hint: NEWER_HINT,
      }),
    extraMember: (object, path) =>
      put(`member ${kindOf(object)} ${sameFor(path)}`, {
        severity: 'warning',
        message: `${place}${object} has a member ${path} that its kind has not; it is kept`,
        hint: '',
      }),
    unknownKind: (object, apiVersion, fields) =>
      put(`kind ${apiVersion} ${kindOf(object)}`, {
        severity: left,
        message: `${place}${describeKind(object, apiVersion, fields)}`,
        hint: KIND_HINT,
      }),
    cutShort: (given, count) =>
      put(`cut ${given} ${count}`, {
        severity: left,
        message: `${place}${describeCut(given, count)}`,
        hint: CUT_HINT,
      }),
    broken: (thrown) => putBroken(put, place, thrown),
  };
}

/** Collects them. `partial`: what is left out is a warning and no error; what is broken stays one. */
export function createNotes(partial: boolean): Notes {
  const piles = new Map<string, ReturnType<typeof createPile>>();
  const left = partial ? 'warning' : 'error';
  const putInto = (input: string): Put => {
    const pile = piles.get(input) ?? createPile();
    piles.set(input, pile);
    return pile.put;
  };
  return {
    at: (input, key) => findingsFor(putInto(input), key === '' ? '' : `${key}: `, left),
    add: (input, thrown) => putBroken(putInto(input), '', thrown),
    failures: () => [...piles].flatMap(([input, pile]) => pile.list().map((note) => failureOf(input, note))),
  };
}
