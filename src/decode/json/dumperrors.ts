// The sentences for a config dump that cannot be used, or not in full.

import { UserError } from '../../base/errors.ts';
import type { Section } from '../../model/dump.ts';

/** The input ends before what was asked for is whole. `where` reads on from the byte. */
export function brokenOff(offset: number, where: string): UserError {
  return new UserError(
    `the config dump breaks off at byte ${offset}, ${where}`,
    'Save it again: the file or the transfer is incomplete.',
  );
}

/** A JSON object without any section that makes a dump. */
export function unknownShape(version: unknown, isApiObject: boolean): UserError {
  if (isApiObject) {
    return new UserError(
      'this is an API object (it has an apiVersion), not a config dump',
      'Give Kubernetes objects with --resources, and with -f what ztunnel answers on /config_dump.',
    );
  }
  const from = typeof version === 'string' ? `, though it names version ${JSON.stringify(version)}` : '';
  return new UserError(
    `this JSON object has none of the sections of a ztunnel's config dump${from}`,
    'Give the answer of /config_dump; if it is that, this program is too old for that ztunnel, or too new.',
  );
}

/** A complete dump lacks a section that every known ztunnel sends. */
export function absent(section: Section): string {
  return `the config dump has no ${section} section: it is cut down, or of a ztunnel older or newer than this program knows`;
}

/** A bound on size or number is passed: `what` reads on from "has". */
export function tooLarge(what: string, offset: number): UserError {
  return new UserError(
    `the config dump has ${what} at byte ${offset}`,
    'No ztunnel is known to send that: check where it comes from.',
  );
}

/** More entries than are held in memory. */
export function tooMany(most: number, offset: number): UserError {
  return tooLarge(`more than ${most} entries`, offset);
}

/** The text breaks JSON's grammar. `what` reads on from the colon; the byte is counted from 0. */
export function invalidJson(what: string, offset: number, cause?: unknown): UserError {
  return new UserError(
    `the config dump is not valid JSON: ${what} at byte ${offset}`,
    'Save it again, or look at what stands there: it may have been edited or damaged.',
    { cause },
  );
}
