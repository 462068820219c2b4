// What an input that cannot be a config dump is instead, told from its first bytes.

import { UserError } from '../../base/errors.ts';

/** How many of the first bytes are looked at. */
export const HEAD_BYTES = 512;

const DUMP_HINT = "Give the answer of ztunnel's /config_dump.";
const UNPACK_HINT = 'Unpack it first, and give the file inside.';

interface Magic {
  readonly bytes: readonly number[];
  readonly what: string;
  readonly hint: string;
}

/** Formats by the bytes that they begin with. */
const MAGIC: readonly Magic[] = [
  { bytes: [0x1f, 0x8b], what: 'compressed with gzip', hint: 'Unpack it first: gunzip -c FILE.' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: 'compressed with zstd', hint: UNPACK_HINT },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: 'compressed with xz', hint: UNPACK_HINT },
  { bytes: [0x42, 0x5a, 0x68], what: 'compressed with bzip2', hint: UNPACK_HINT },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'a zip archive', hint: UNPACK_HINT },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: 'a PNG picture', hint: DUMP_HINT },
  { bytes: [0xff, 0xd8, 0xff], what: 'a JPEG picture', hint: DUMP_HINT },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF document', hint: DUMP_HINT },
  {
    bytes: [0x6b, 0x38, 0x73, 0x00],
    what: 'a Kubernetes object in protobuf',
    hint: 'Give Kubernetes objects with --resources, and config dumps with -f.',
  },
];

const UTF16_HINT = 'Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE.';

/** UTF-16 by its byte order mark, or by ASCII text whose every other byte is NUL. */
function isUtf16(head: Buffer): boolean {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfeff || mark === 0xfffe) return true;
  const pairs = Math.min(head.length, 64) >> 1;
  const halves = [0, 1].map((half) => {
    let zeros = 0;
    for (let pair = 0; pair < pairs; pair += 1) if (head[2 * pair + half] === 0) zeros += 1;
    return zeros;
  });
  return pairs > 0 && halves.some((zeros, half) => 2 * zeros > pairs && halves[1 - half] === 0);
}

function isBinary(head: Buffer): boolean {
  return head.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}

interface Look {
  readonly matches: RegExp;
  readonly what: string;
  readonly hint: string;
}

/** Texts by how they begin, white space apart; the first that matches. */
const LOOKS: readonly Look[] = [
  { matches: /^\[/, what: 'a JSON list', hint: DUMP_HINT },
  {
    matches: /^(?:null|true|false|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*"?)\s*$/,
    what: 'a single JSON value',
    hint: DUMP_HINT,
  },
  {
    matches: /^</,
    what: 'a web page',
    hint: 'Check the admin port (--proxy-admin-port, 15000 by default) and whether a proxy stands in between.',
  },
  {
    matches: /^(?:---|%YAML|- \S|[A-Za-z_][\w./-]*:(?:\s|$))/,
    what: 'YAML by its looks',
    hint: 'Give the config dump as JSON; Kubernetes objects belong to --resources.',
  },
];

function firstWords(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  const shown = line.slice(0, 60).replace(/[\p{C}"]/gu, '.');
  return line.length > 60 ? `${shown}…` : shown;
}

/**
 * The error for an input that does not begin like a JSON object; undefined if it does. `head` is the first
 * HEAD_BYTES of the input, or all of it.
 */
export function explainNotADump(head: Buffer): UserError | undefined {
  const say = (what: string, hint: string) => new UserError(`this is ${what}, not a config dump`, hint);
  if (isUtf16(head)) return say('text in UTF-16', UTF16_HINT);
  const magic = MAGIC.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (magic !== undefined) return say(magic.what, magic.hint);
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') {
    if (head.length >= HEAD_BYTES) return undefined;
    return new UserError(
      'the config dump is empty',
      'Save it again: the ztunnel or the transfer gave nothing.',
    );
  }
  if (text.startsWith('{')) return undefined;
  if (isBinary(head)) return say('binary data', DUMP_HINT);
  const look = LOOKS.find(({ matches }) => matches.test(text));
  if (look !== undefined) return say(look.what, look.hint);
  return say(`text that begins with "${firstWords(text)}"`, DUMP_HINT);
}
