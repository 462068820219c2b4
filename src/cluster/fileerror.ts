// What it means that a file could not be read, and what to do about it.

import { messageOf, UserError } from '../errors.ts';

const EXPLANATIONS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOENT: ['does not exist', 'Check the path; it starts from the current directory unless it begins with /.'],
  ENOTDIR: ['does not exist', 'Check the path; a part of it is a file, not a directory.'],
  EACCES: ['may not be read', 'Check its permissions with `ls -l`.'],
  EPERM: ['may not be read', 'Check its permissions with `ls -l`.'],
  EISDIR: ['is a directory', 'Name a file in it.'],
  ELOOP: ['is a link that leads nowhere', 'Check the link with `ls -l`.'],
};

/** `subject` begins the sentence: `The file x.json`. What already is a UserError passes through. */
export function fileError(thrown: unknown, subject: string): Error {
  if (thrown instanceof UserError) return thrown;
  const [what, hint] = EXPLANATIONS[(thrown as NodeJS.ErrnoException).code ?? ''] ?? [
    `can't be read: ${messageOf(thrown)}`,
    'Check the file, and try again.',
  ];
  return new UserError(`${subject} ${what}`, hint, { cause: thrown });
}
