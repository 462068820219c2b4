// How a kubeconfig for the embedded mesh reads.

export interface KubeconfigParts {
  readonly server: string;
  /** PEM text. */
  readonly certificateAuthority: string;
  readonly token: string;
  readonly namespace: string;
}

/** YAML with the authority inline, one user with a token, and a context with a namespace, all named `mesh`. */
export function kubeconfigText(parts: KubeconfigParts): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: mesh',
    '  cluster:',
    `    server: ${parts.server}`,
    `    certificate-authority-data: ${Buffer.from(parts.certificateAuthority).toString('base64')}`,
    'users:',
    '- name: mesh',
    '  user:',
    `    token: ${parts.token}`,
    'contexts:',
    '- name: mesh',
    '  context:',
    '    cluster: mesh',
    '    user: mesh',
    `    namespace: ${parts.namespace}`,
    'current-context: mesh',
    '',
  ].join('\n');
}
