// The argument that narrows a command to what one thing needs.

import type { Arguments } from './command.ts';

/** Give it to a command as its `arguments`, and let its `run` begin with ask/narrow.ts. */
export const TARGET: Arguments = { usage: '[TARGET]', least: 0, most: 1, completes: 'target' };
