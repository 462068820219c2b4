// The line on stderr that shows how far the asking has come, for as long as it lasts.

import type { Clock, Progress } from '../mesh/mesh.ts';
import type { Output } from './io.ts';

/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAW_MS = 100;
const ERASE_LINE = '\r\x1b[K';

/** Shows `37/1200 ztunnels, 2 failed` on a terminal that can erase it while several are asked; elsewhere it is silent. */
export function createProgress(stderr: Output, clock: Clock, canErase: boolean): Progress {
  let drawnAt = 0;
  let visible = false;
  const write = (text: string) => stderr.write(text).catch(() => {});
  return {
    update(done, total, failed) {
      const now = clock.now().getTime();
      if (total < 2 || now - drawnAt < REDRAW_MS || !canErase || stderr.terminal === undefined) return;
      drawnAt = now;
      visible = true;
      void write(`${ERASE_LINE}${done}/${total} ztunnels${failed === 0 ? '' : `, ${failed} failed`}`);
    },
    async clear() {
      if (!visible) return;
      visible = false;
      await write(ERASE_LINE);
    },
  };
}
