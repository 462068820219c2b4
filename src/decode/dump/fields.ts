// How one field of a parsed JSON object is read, and how a value of the wrong type is named.

import type { Json, JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { compareText } from '../../base/order.ts';

/** A value is not of the type that every ztunnel sends; it becomes a problem of its section, not of the dump. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  /** Path from the section's member to the value, as `certChain[0].pem`; '' for the member itself. */
  readonly path: string;
  /** What is wrong, to be read after the path: `is a number, where text was expected`. */
  readonly complaint: string;

  constructor(path: string, complaint: string) {
    super(`${path} ${complaint}`);
    this.path = path;
    this.complaint = complaint;
  }
}

/** A JSON value's type, in words. */
export function describe(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const words = { string: 'text', number: 'a number', boolean: 'a boolean', object: 'an object' };
  return words[typeof value as keyof typeof words];
}

function wrong(path: string, value: Json | undefined, expected: string): ShapeError {
  const complaint =
    value === undefined ? 'is missing' : `is ${describe(value)}, where ${expected} was expected`;
  return new ShapeError(path, complaint);
}

/** Runs a reader of nested values, and puts their place in front of the path of what it throws. */
export function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const joint = error.path === '' || error.path.startsWith('[') ? '' : '.';
    throw new ShapeError(`${place}${joint}${error.path}`, error.complaint);
  }
}

/** The value as an object. `path` names it in the error. */
export function objectOf(value: Json | undefined, path = ''): JsonObject {
  if (isObject(value)) return value;
  throw wrong(path, value, 'an object');
}

/**
 * A field's value, under today's name or the one it had before; undefined for none. ztunnel leaves empty fields
 * out or sends null: the two are the same here.
 */
export function fieldOf(object: JsonObject, name: string, oldName?: string): Json | undefined {
  const value = object[name];
  if (value !== undefined && value !== null) return value;
  const old = oldName === undefined ? undefined : object[oldName];
  return old === null ? undefined : old;
}

/** A text field; '' when absent. */
export function textOf(object: JsonObject, name: string, oldName?: string): string {
  const value = fieldOf(object, name, oldName);
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  throw wrong(name, value, 'text');
}

/** A text field that every entry must have. */
export function requiredTextOf(object: JsonObject, name: string): string {
  const text = textOf(object, name);
  if (text !== '') return text;
  throw object[name] === '' ? new ShapeError(name, 'is empty') : wrong(name, undefined, 'some text');
}

/** A boolean field; false when absent. */
export function flagOf(object: JsonObject, name: string, oldName?: string): boolean {
  const value = fieldOf(object, name, oldName);
  if (typeof value === 'boolean') return value;
  if (value === undefined) return false;
  throw wrong(name, value, 'a boolean');
}

/** A list field; undefined when absent. */
export function listOf(object: JsonObject, name: string, oldName?: string): readonly Json[] | undefined {
  const value = fieldOf(object, name, oldName);
  if (value === undefined || Array.isArray(value)) return value;
  throw wrong(name, value, 'a list');
}

/** A field that is a list of texts; empty when absent. */
export function textsOf(object: JsonObject, name: string): readonly string[] {
  const list = listOf(object, name);
  if (list === undefined) return [];
  list.forEach((value, index) => {
    if (typeof value !== 'string') throw wrong(`${name}[${index}]`, value, 'text');
  });
  return list as readonly string[];
}

/** The keys of a field that is an object, sorted by code unit (maps come in no order); empty when absent. */
export function keysOf(object: JsonObject, name: string): readonly string[] {
  const value = fieldOf(object, name);
  return value === undefined ? [] : Object.keys(objectOf(value, name)).sort(compareText);
}
