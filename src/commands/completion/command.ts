// `completion`: the script that lets a shell complete what one types.

import type { TextCommand } from '../spec/command.ts';
import { bash, fish, kubectl, powershell, zsh } from './scripts.ts';

/** By the word that names them. `kubectl` is the shim that kubectl ≥ 1.26 runs. */
export const scripts = { bash, zsh, fish, powershell, kubectl } as const satisfies Record<string, string>;

export const completion: TextCommand = {
  name: 'completion',
  aliases: [],
  summary: 'Completion for bash, zsh, fish, powershell, or kubectl itself',
  arguments: { usage: 'SHELL', least: 1, most: 1, choices: Object.keys(scripts) },
  examples: [
    { args: 'completion kubectl > ~/bin/kubectl_complete-ztunnel', does: 'kubectl ≥ 1.26' },
    { args: 'completion bash >> ~/.bashrc', does: 'bash' },
    { args: 'completion zsh >> ~/.zshrc', does: 'zsh' },
    { args: 'completion fish | source', does: 'fish, now' },
    { args: 'completion powershell | Out-String | iex', does: 'PowerShell' },
  ],
  // argv lets only the choices through.
  text: ([shell]) => scripts[shell as keyof typeof scripts],
};
