import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SettingKind } from './setting-kinds.js';

const PATH_SCHEMA = { type: 'string', pattern: /^[^\0\r\n]+$/.source };
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export const certificateFile = (): SettingKind<string> => ({
  allowed: 'the path of a readable PEM file with one or more certificates',
  schema: PATH_SCHEMA,
  parse: (path) => (attempt(() => certificatesIn(readFileSync(path, 'utf8'))) === undefined ? undefined : path),
});

export const privateKeyFile = (): SettingKind<string> => ({
  allowed: 'the path of a readable PEM file with a private key that is not encrypted',
  schema: PATH_SCHEMA,
  parse: (path) => (attempt(() => createPrivateKey(readFileSync(path, 'utf8'))) === undefined ? undefined : path),
});

/** @throws if the text has no certificate, or an unreadable one */
export function certificatesIn(pem: string): X509Certificate[] {
  const certificates = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
  if (certificates.length === 0) throw new Error('The file contains no certificate');
  return certificates;
}

interface FileSetting {
  readonly env: string;
  readonly path: string | null;
}

/** Each file is valid on its own, so only their combination is checked. */
export function pairProblem(certificate: FileSetting, key: FileSetting): string[] {
  if (certificate.path === null && key.path === null) return [];
  if (certificate.path === null || key.path === null) {
    const [missing, present] = certificate.path === null ? [certificate, key] : [key, certificate];
    return [`${missing.env} is not set, but ${present.env} is. Set both for a client certificate, or neither.`];
  }
  const fits = attempt(() => belongTogether(readFileSync(certificate.path!), readFileSync(key.path!)));
  return fits === true
    ? []
    : [
        `The private key of ${key.env} does not belong to the first certificate of ${certificate.env}. Use a matching pair.`,
      ];
}

export const belongTogether = (certificate: Buffer, key: Buffer): boolean =>
  certificatesIn(certificate.toString())[0]!.checkPrivateKey(createPrivateKey(key));

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
