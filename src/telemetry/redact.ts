import type { Config } from '../config/config.js';
import { SETTINGS, type Setting, type SettingName } from '../config/settings.data.js';

const REDACTED = '[redacted]';
/** Keys that the gateway itself hands out or is run by, whoever wrote them where. */
const KEY = /(sk-gw-|admin_gw_)[0-9A-Za-z_-]{16,}/g;

/** Providers' keys, in the wrong field; not what ends a word, as in `risk-assessment-service`. */
const PROVIDER_KEY = /(?<![A-Za-z0-9])(sk-|AIza|xai-|gsk_)[A-Za-z0-9_-]{16,}/g;

/** A text without the gateway's and providers' keys: a name that an operator chose, a path that a client asked for. */
export const withoutCredentials = (text: string): string => withoutKeys(text.replace(PROVIDER_KEY, REDACTED));

/** A client's text without a key that it has pasted into the wrong field. */
export const withoutKeys = (text: string): string =>
  text.includes('sk-gw-') || text.includes('admin_gw_') ? text.replace(KEY, `$1${REDACTED}`) : text;

/**
 * Takes out of a line what no log may hold (D24): keys by their form, and whatever the settings mark as secret, wherever in
 * an error's text it stands. A line of the log goes through it whole, so nobody who logs has to think of it.
 */
export function redactor(config: Config): (text: string) => string {
  const secrets = Object.keys(SETTINGS)
    .filter((name) => (SETTINGS[name as SettingName] as Setting<unknown>).secret === true)
    .flatMap((name) => secretsIn(config[name as SettingName]));
  // The longest first: one may be the beginning of another.
  const sorted = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce((line, secret) => line.replaceAll(secret, REDACTED), withoutKeys(text));
}

function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'string' || value === '') return [];
  if (!URL.canParse(value)) return [value];
  // Of an address its password, also as it reads when decoded: host and database are no secret, and of use in a log.
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
