// What log levels ztunnel has, how a person asks for them, and what ztunnel answers.

import { UsageError } from '../../base/errors.ts';

/** istioctl's names, as ztunnel calls them. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ['trace', 'trace'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
  ['off', 'off'],
]);

/** As istioctl lists them. */
const LEVEL_NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'] as const;

/** Rust's module paths, as ztunnel names its loggers: `ztunnel::proxy`. */
const LOGGER = /^[A-Za-z_][\w-]*(?:::[A-Za-z_][\w-]*)*$/;
const CLAUSE = /^(?:(.+)[:=])?([A-Za-z]+)$/;

/** One logger's level; `logger` is undefined for that of all others. */
export interface LogLevel {
  readonly logger: string | undefined;
  readonly level: string;
}

/**
 * Reads `[logger:]level,…`, also with `=`, levels without case, into ztunnel's names (`warning` → `warn`,
 * `critical` → `error`). Throws UsageError.
 */
export function parseLevels(text: string): readonly LogLevel[] {
  return text.split(',').map((part) => parseClause(part.trim()));
}

function parseClause(text: string): LogLevel {
  const [, logger, name = ''] = CLAUSE.exec(text) ?? [];
  const level = LEVELS.get(name.toLowerCase());
  if (level === undefined) {
    throw new UsageError(
      `--level has no level in "${text}"`,
      `Write level or logger:level, with one of: ${LEVEL_NAMES.join(', ')}.`,
    );
  }
  if (logger !== undefined && !LOGGER.test(logger)) {
    throw new UsageError(
      `--level has no logger's name in "${text}"`,
      'Loggers are named like ztunnel::proxy.',
    );
  }
  return { logger, level };
}

/** `ztunnel::proxy=debug,info`: ztunnel refuses `logger:level`, whatever its own help says. */
export function formatLevels(levels: readonly LogLevel[]): string {
  return levels.map(({ logger, level }) => (logger === undefined ? level : `${logger}=${level}`)).join(',');
}

const ANSWER = /current log level is\s*(.*)/;

/** The levels in ztunnel's answer, as it writes them; undefined for another answer. */
export function findLevels(answer: string): string | undefined {
  const levels = ANSWER.exec(answer)?.[1]?.trim();
  return levels === '' ? undefined : levels;
}
