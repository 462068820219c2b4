// Where the tests of packaging find the release that they try.

import path from 'node:path';
import process from 'node:process';
import { archiveName, PLATFORMS, type Platform, platformOf } from '../../scripts/package/platforms.ts';
import { ROOT } from '../scripts/place.ts';

function here(): Platform {
  const platform = platformOf(process);
  if (platform === undefined) throw new Error(`there is no archive for ${process.platform}-${process.arch}`);
  return platform;
}

export const HERE = here();
/** Below dist/, so that a release that somebody made is left alone. */
export const RELEASE = path.join(ROOT, 'dist/release-under-test');
/** The same, made a second time. */
export const AGAIN = path.join(ROOT, 'dist/release-made-again');

export const archiveOf = (platform: Platform): string => path.join(RELEASE, archiveName(platform));
export const programOf = ({ name, program }: Platform): string => path.join(RELEASE, name, program);

export const ARCHIVE = archiveOf(HERE);
export const PROGRAM = programOf(HERE);

/** The platform of that name. */
export function platform(name: string): Platform {
  const found = PLATFORMS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no platform ${name}`);
  return found;
}
