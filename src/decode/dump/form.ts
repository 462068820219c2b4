// In which forms config dumps may be saved, and how one in YAML becomes the JSON of ztunnel.

import type { Json } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { checkDepth, decodeText, decodeYamlText } from '../kube/kubetext.ts';
import { SOURCES } from './eras.ts';

/** `dump`: one, or something that is none; `list`: what `all -o json` prints of several; `yaml`: either in YAML. */
export type DumpForm = 'dump' | 'list' | 'yaml';

/** How many of the first bytes tell. */
export const FORM_BYTES = 512;

const FORMS: readonly (readonly [DumpForm, RegExp])[] = [
  ['list', /^\ufeff?\s*\{\s*"apiVersion"\s*:\s*"ztunnel\.kubectl\/v1"/],
  ['yaml', /^\ufeff?(?:---\s|[A-Za-z_]\w*:(?:\s|$))/],
];

/** Told from the first FORM_BYTES, or all there are. */
export function recognizeForm(head: Uint8Array): DumpForm {
  const text = Buffer.from(head).toString('utf8');
  return FORMS.find(([, looks]) => looks.test(text))?.[0] ?? 'dump';
}

/**
 * A config dump or a list of dumps in YAML, as JSON bytes; undefined for YAML that is neither. Whole numbers beyond
 * 2^53 become text. Throws UserError for what is no YAML, or grows beyond its own size through aliases.
 */
export function yamlDumpToJson(bytes: Uint8Array): Buffer | undefined {
  const text = decodeText(bytes);
  const [value, ...others] = decodeYamlText(text) as readonly Json[];
  if (others.length > 0 || value === undefined || !isObject(value)) return undefined;
  const isList = value.apiVersion === 'ztunnel.kubectl/v1';
  if (!isList && !Object.keys(value).some((key) => SOURCES.has(key))) return undefined;
  // A small text of aliases to aliases can be an endless value.
  checkDepth(value, 'the top', { left: text.length });
  return Buffer.from(JSON.stringify(value));
}
