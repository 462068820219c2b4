// In which form config dumps may be saved.

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
