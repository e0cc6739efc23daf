import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { path, type SettingKind } from './setting-kinds.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export const certificateFile = (): SettingKind<string> => ({
  allowed: 'the path of a readable PEM file with one or more certificates',
  schema: path().schema,
  parse: (file) => (attempt(() => certificatesIn(readFileSync(file, 'utf8'))) === undefined ? undefined : file),
});

export const privateKeyFile = (): SettingKind<string> => ({
  allowed: 'the path of a readable PEM file with a private key that is not encrypted',
  schema: path().schema,
  parse: (file) => (attempt(() => createPrivateKey(readFileSync(file, 'utf8'))) === undefined ? undefined : file),
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

/** Returns undefined if the work throws, as for a file that cannot be read or parsed. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
