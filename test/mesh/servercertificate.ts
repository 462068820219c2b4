// The certificate that the embedded API server shows, and the authority behind it.

import { createRoot, issueLeaf, leafPrivateKey, validity } from './pki.ts';

export interface ServerCertificate {
  /** PEM text, all three. */
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

let made: Promise<ServerCertificate> | undefined;

/** For 127.0.0.1, by the machine's clock: TLS clients don't know the scenario's. Made once per process. */
export function serverCertificate(): Promise<ServerCertificate> {
  made ??= (async () => {
    const when = validity(new Date(), -3600, 86_400 * 365);
    const ca = await createRoot('O=mesh.example,CN=API server CA', when);
    const leaf = await issueLeaf(ca, { dns: ['localhost', 'mesh.example'], ips: ['127.0.0.1'], ...when });
    return { key: await leafPrivateKey(), cert: leaf.pem, ca: ca.certificate.pem };
  })();
  return made;
}
