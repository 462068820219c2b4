// How a config dump in YAML becomes the JSON that ztunnel sent.

import type { Json } from '../../base/json.ts';
import { checkDepth } from '../kube/budget.ts';
import { decodeText, decodeYamlText } from '../kube/kubetext.ts';
import { SOURCES } from './eras.ts';
import { isObject } from './fields.ts';

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
