// Whether a document is what docs/document.schema.json says.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

const schema = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../docs/document.schema.json'), 'utf8'),
) as object;

/** Its `errors` say why not. */
export const validate = new Ajv2020({ allErrors: true }).compile(schema);
