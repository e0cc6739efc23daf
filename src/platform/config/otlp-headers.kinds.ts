import type { SettingKind } from './setting-kinds.js';

/** Returns the text unparsed, because the primary process sends it to its workers. */
export const otlpHeaders = (): SettingKind<string> => ({
  allowed: 'a comma-separated list of name=value, with special characters of a value percent-encoded',
  schema: { type: 'string' },
  parse: (text) => (headersOf(text) === null ? undefined : text),
});

const ENTRY = /^([^=;]+)=([^;]*)(;.*)?$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @returns null if an entry is unusable. OpenTelemetry's own parser ignores such entries without notice. */
export function headersOf(text: string): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {};
  for (const entry of text.split(',')) {
    if (entry.trim() === '') continue;
    const [, name, value] = ENTRY.exec(entry.trim())?.map(decodedOrNull) ?? [];
    if (!NAME.test(name ?? '') || value === null || value === undefined || !VALUE.test(value)) return null;
    if (value !== '') headers[name!] = value;
  }
  return headers;
}

/**
 * Returns the texts that the log must not contain: the values of headers with credentials, with and without their scheme. Other
 * values, for example the name of a tenant, can be ordinary words.
 */
export function headerSecrets(text: string | null): string[] {
  return Object.entries(headersOf(text ?? '') ?? {})
    .filter(([name, value]) => CREDENTIAL_NAME.test(name) || isRandom(value))
    .flatMap(([, value]) => {
      const [, scheme = '', token = ''] = /^([A-Za-z-]+) +(\S+)$/.exec(value) ?? [];
      const password = /^basic$/i.test(scheme)
        ? Buffer.from(token, 'base64')
            .toString()
            .replace(/^[^:]*:/, '')
        : '';
      return [value, token, password].filter((secret) => secret !== '');
    });
}

const CREDENTIAL_NAME = /auth|key|token|secret|passw|credential|cookie|dsn/i;
const RANDOM_LENGTH_MIN = 16;

/** Some vendors' header names do not indicate that the value is a key. */
const isRandom = (value: string): boolean => value.length >= RANDOM_LENGTH_MIN && /\d/.test(value);

function decodedOrNull(text: string | undefined): string | null {
  try {
    return decodeURIComponent(text ?? '').trim();
  } catch {
    return null;
  }
}
