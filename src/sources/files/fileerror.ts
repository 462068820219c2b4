// What it means that a file could not be read, and what to do about it.

import { lstatSync } from 'node:fs';
import { messageOf, UserError } from '../../base/errors.ts';

type Explanation = readonly [what: string, hint: string];

const DEAD_LINK: Explanation = ['is a link that leads nowhere', 'Check the link with `ls -l`.'];

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: ['does not exist', 'Check the path; it starts from the current directory unless it begins with /.'],
  ENOTDIR: ['does not exist', 'Check the path; a part of it is a file, not a directory.'],
  EACCES: ['may not be read', 'Check its permissions with `ls -l`.'],
  EPERM: ['may not be read', 'Check its permissions with `ls -l`.'],
  EISDIR: ['is a directory', 'Name a file in it.'],
  ELOOP: DEAD_LINK,
};

/** `subject` begins the sentence: `The file x.json`. What already is a UserError passes through. */
export function fileError(thrown: unknown, subject: string): Error {
  if (thrown instanceof UserError) return thrown;
  const [what, hint] = explain(thrown as NodeJS.ErrnoException);
  return new UserError(`${subject} ${what}`, hint, { cause: thrown });
}

function explain(thrown: NodeJS.ErrnoException): Explanation {
  const { code = '', path } = thrown;
  if (code === 'ENOENT' && path !== undefined && isLink(path)) return DEAD_LINK;
  return EXPLANATIONS[code] ?? [`can't be read: ${messageOf(thrown)}`, 'Check the file, and try again.'];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
