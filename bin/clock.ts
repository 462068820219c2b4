// The system's clock.

import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../src/mesh/mesh.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => {}),
};
