// Which objects a label or field selector matches, as the API server reads them.

import type { Manifest } from './resources.ts';

type Matches = (manifest: Manifest) => boolean;
type Labels = Readonly<Record<string, string>>;

const REQUIREMENT =
  /^\s*(?:(?<absent>!)\s*(?<gone>[^\s=!,()]+)|(?<key>[^\s=!,()]+)\s*(?:(?<operator>==|=|!=)\s*(?<value>[^\s,()]*)|\s(?<set>in|notin)\s*\((?<values>[^)]*)\))?)\s*$/;

const FIELDS: Readonly<Record<string, (manifest: Manifest) => unknown>> = {
  'metadata.name': (manifest) => manifest.metadata.name,
  'metadata.namespace': (manifest) => manifest.metadata.namespace,
  'spec.nodeName': (manifest) => manifest.spec?.nodeName,
  'status.phase': (manifest) => manifest.status?.phase,
};

/** `app=ztunnel`, `a!=b`, `tier in (web, api)`, `x notin (y)`, `key`, `!key`, joined by commas. Throws if it can't be read. */
export function parseLabelSelector(text: string): Matches {
  const requirements = splitOutside(text).map(parseRequirement);
  return (manifest) => requirements.every((holds) => holds(manifest.metadata.labels ?? {}));
}

/** `spec.nodeName=x,metadata.name!=y`. Throws on fields that the server doesn't select by. */
export function parseFieldSelector(text: string): Matches {
  const terms = text.split(',').map((term) => {
    const [, field = '', operator, value = ''] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term.trim()) ?? [];
    const read = FIELDS[field];
    if (read === undefined) throw new Error(`"${field || term}" is not a known field selector`);
    return (manifest: Manifest) => (String(read(manifest) ?? '') === value) === (operator !== '!=');
  });
  return (manifest) => terms.every((holds) => holds(manifest));
}

function parseRequirement(text: string): (labels: Labels) => boolean {
  const groups = REQUIREMENT.exec(text)?.groups;
  if (groups === undefined) throw new Error(`unable to parse requirement: ${text}`);
  const { gone, key = '', operator, value = '', set, values = '' } = groups;
  if (gone !== undefined) return (labels) => !Object.hasOwn(labels, gone);
  const listed = new Set(values.split(',').map((each) => each.trim()));
  if (set !== undefined) return (labels) => listed.has(labels[key] ?? '\0') === (set === 'in');
  if (operator === undefined) return (labels) => Object.hasOwn(labels, key);
  // An object without the label matches `!=`, as in Kubernetes.
  return (labels) => (labels[key] === value) === (operator !== '!=');
}

/** Splits at commas that are not within parentheses. */
function splitOutside(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}
