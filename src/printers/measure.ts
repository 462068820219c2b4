// How many terminal columns any text takes, by Unicode's tables: apart from what help needs, since they take 4 ms to load.

import stringWidth from 'string-width';
import { isAscii, type Measure } from '../base/text.ts';

export const measureAny: Measure = (text) => (isAscii(text) ? text.length : stringWidth(text));
