import type { Config } from '../config/config.js';
import { SETTINGS, type Setting, type SettingName } from '../config/settings.data.js';

const REDACTED = '[redacted]';
const KEY = /(sk-gw-|admin_gw_)[0-9A-Za-z_-]{16,}/g;

/** Providers' keys. The lookbehind excludes words such as `risk-assessment-service`. */
const PROVIDER_KEY = /(?<![A-Za-z0-9])(sk-|AIza|xai-|gsk_)[A-Za-z0-9_-]{16,}/g;

/** Also redacts keys of providers, for example in a name that an operator chose or in a request path. */
export const withoutCredentials = (text: string): string => withoutKeys(text.replace(PROVIDER_KEY, REDACTED));

/** Redacts keys of the gateway, for example one that a client sent in the wrong field. */
export const withoutKeys = (text: string): string =>
  text.includes('sk-gw-') || text.includes('admin_gw_') ? text.replace(KEY, `$1${REDACTED}`) : text;

/** Redacts keys and secret settings (D24) in every message of the process log, so callers can log error texts as they are. */
export function redactor(config: Config): (text: string) => string {
  const secrets = Object.keys(SETTINGS)
    .filter((name) => (SETTINGS[name as SettingName] as Setting<unknown>).secret === true)
    .flatMap((name) => secretsIn(config[name as SettingName]));
  // Longest first, because a secret can be the beginning of another one.
  const sorted = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce((line, secret) => line.replaceAll(secret, REDACTED), withoutKeys(text));
}

function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'string' || value === '') return [];
  if (!URL.canParse(value)) return [value];
  // In a URL only the password is secret, encoded or decoded. Host and database name are useful in a log.
  const { password } = new URL(value);
  return password === '' ? [] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
