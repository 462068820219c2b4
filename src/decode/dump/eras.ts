// Which top-level keys of a config dump hold which section, in every release since ztunnel 1.18.

import type { Json } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import type { Section } from '../../model/dump.ts';
import { fieldOf } from './fields.ts';

export type Shape = 'list' | 'object';

/** A top-level key and what stands under it. */
export interface Source {
  readonly section: Section;
  /** What the value may be. `object` with `whole` unset is a map of members. */
  readonly shapes: readonly Shape[];
  /** The same in words, as today's ztunnel sends it. */
  readonly expected: 'a list' | 'an object';
  /** The value is one thing, not a collection. */
  readonly whole?: true;
  /** Of several sources of a section, the lower one wins where both have the same member. */
  readonly rank: number;
  /** The shapes after which nothing more of the section can follow, so that reading may stop. */
  readonly settles: readonly Shape[];
  /** The members that one entry of the map holds, when it isn't itself one. */
  readonly membersOf?: (entry: Json) => readonly Json[];
  /** The key stands twice in one object, and both count. */
  readonly repeats?: true;
}

const whole = (section: Section): Source => ({
  section,
  shapes: ['object'],
  expected: 'an object',
  whole: true,
  rank: 0,
  settles: ['object'],
});

/** 1.19–1.21 have two maps `by_hostname` in one object: workloads, and resolved names, which are nobody's business. */
const onlyWorkloads = (entry: Json): readonly Json[] =>
  isObject(entry) && fieldOf(entry, 'uid') !== undefined ? [entry] : [];

const listed = (entry: Json): readonly Json[] => (Array.isArray(entry) ? entry : [entry]);

const SOURCE_TABLE = {
  // a list in every release
  certificates: { section: 'certificates', shapes: ['list'], expected: 'a list', rank: 0, settles: ['list'] },
  config: whole('config'),
  version: whole('version'),

  // 1.23+: a list; 1.22: a map network/ip → workload, which loses those without an address; 1.18: a map ip → workload
  workloads: {
    section: 'workloads',
    shapes: ['list', 'object'],
    expected: 'a list',
    rank: 0,
    settles: ['list', 'object'],
  },
  // 1.19–1.21: by_uid is complete, the others are a fallback for what is left of a dump
  by_uid: { section: 'workloads', shapes: ['object'], expected: 'an object', rank: 0, settles: ['object'] },
  by_addr: { section: 'workloads', shapes: ['object'], expected: 'an object', rank: 1, settles: [] },
  by_hostname: {
    section: 'workloads',
    shapes: ['object'],
    expected: 'an object',
    rank: 2,
    settles: [],
    membersOf: onlyWorkloads,
    repeats: true,
  },

  // 1.23+: a list; 1.22: a map vip → service, to which 1.22.1 adds those without a vip in servicesByHostname
  services: {
    section: 'services',
    shapes: ['list', 'object'],
    expected: 'a list',
    rank: 0,
    settles: ['list'],
  },
  servicesByHostname: {
    section: 'services',
    shapes: ['object'],
    expected: 'an object',
    rank: 1,
    settles: ['object'],
    membersOf: listed,
  },
  // 1.19–1.21
  by_host: {
    section: 'services',
    shapes: ['object'],
    expected: 'an object',
    rank: 0,
    settles: ['object'],
    membersOf: listed,
  },
  by_vip: { section: 'services', shapes: ['object'], expected: 'an object', rank: 1, settles: [] },
  // 1.18: a map address:port → [workload address, port][]; there are no names
  vips: { section: 'services', shapes: ['object'], expected: 'an object', rank: 0, settles: ['object'] },

  // 1.23+: a list; 1.18 and 1.22: a map namespace/name → policy, which 1.19–1.21 call by_key
  policies: {
    section: 'policies',
    shapes: ['list', 'object'],
    expected: 'a list',
    rank: 0,
    settles: ['list', 'object'],
  },
  by_key: { section: 'policies', shapes: ['object'], expected: 'an object', rank: 0, settles: ['object'] },

  // 1.22+
  workloadState: {
    section: 'workloadState',
    shapes: ['object'],
    expected: 'an object',
    rank: 0,
    settles: ['object'],
  },
} satisfies Record<string, Source>;

/** The table by key; a Map, because keys come from strangers. */
export const SOURCES: ReadonlyMap<string, Source> = new Map(Object.entries<Source>(SOURCE_TABLE));

/**
 * The sections that every ztunnel sends, so that a complete dump without one is not understood. Not among them:
 * `workloadState` (since 1.22; 1.21 has it under a path of its own) and `version`, of which nothing depends.
 */
export const ALWAYS_SENT: ReadonlySet<Section> = new Set([
  'certificates',
  'config',
  'policies',
  'services',
  'workloads',
]);
