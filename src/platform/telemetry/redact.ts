import type { Config } from '../config/config.js';
import { headerSecrets } from '../config/otlp-headers.kinds.js';
import { SECRET_LENGTH_MIN, secretTexts } from '../config/secret-texts.rules.js';
import { SECRET_SETTINGS } from '../config/settings.data.js';

const REDACTED = '[redacted]';
/** Also matches imported keys, whose prefix is `sk-` like that of many provider keys. */
const KEY = /(sk-gw-)[0-9A-Za-z_-]{16,}|(?<![A-Za-z0-9])(sk-)[0-9A-Za-z_-]{16,}|(admin_gw_)[0-9A-Za-z_.~+/-]{16,}=*/g;

/** Providers' keys. The lookbehind excludes words such as `risk-assessment-service`. */
const PROVIDER_KEY = /(?<![A-Za-z0-9])(sk-|AIza|xai-|gsk_)[A-Za-z0-9_-]{16,}/g;

/** The password in a URL. The scheme before it and the `@` after it are its boundaries, so its length does not matter. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:]*:)[^\s/?#@]+(?=@)/gi;

/** Also redacts keys of providers, for example in a name that an operator chose or in a request path. */
export const withoutCredentials = (text: string): string => withoutKeys(text.replace(PROVIDER_KEY, REDACTED));

/** Redacts keys of the gateway, for example one that a client sent in the wrong field. */
export const withoutKeys = (text: string): string =>
  text.includes('sk-') || text.includes('admin_gw_') ? text.replace(KEY, `$1$2$3${REDACTED}`) : text;

/** Bounds the memory for old values of secrets that were reloaded many times. */
const SECRETS_MAX = 1_000;

/**
 * Redacts keys and secret settings (D24) in every message of the process log, so callers can log error texts as they are.
 *
 * A secret of at least `SECRET_LENGTH_MIN` characters is redacted everywhere, even inside a word, because an encoding can add
 * letters before it. A shorter secret, which only development accepts, is redacted only as the password of a URL. Reloaded secrets
 * and the values that they replace are also redacted.
 */
export function redactor(config: Config): (text: string) => string {
  let known: readonly string[] = [];
  let pattern: RegExp | null = null;
  const add = (values: readonly unknown[]) => {
    known = [...new Set([...values.flatMap(secretTexts).flatMap(spellings), ...known])].slice(0, SECRETS_MAX);
    pattern = patternOf(known);
  };
  add([
    ...SECRET_SETTINGS.map(([name]) => config[name]),
    ...headerSecrets(config.otlpHeaders),
    ...(config.upstreams?.file.secrets ?? []),
  ]);
  config.upstreams?.reloads.subscribe(({ secrets }) => add(secrets));
  config.reloads.subscribe((values) => add(Object.values(values)));
  return (text) => {
    const keyless = withoutKeys(text);
    const secretless = pattern === null ? keyless : keyless.replace(pattern, REDACTED);
    return secretless.includes('://') ? secretless.replace(URL_PASSWORD, `$1${REDACTED}`) : secretless;
  };
}

/** A secret as it is, in a URL, and in JSON. */
const spellings = (secret: string): string[] =>
  [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)].filter(
    ({ length }) => length >= SECRET_LENGTH_MIN && secret.length >= SECRET_LENGTH_MIN,
  );

/** One pattern for all, so that no secret is searched for inside a `[redacted]`. The longest is first, because it can contain others. */
function patternOf(secrets: readonly string[]): RegExp | null {
  if (secrets.length === 0) return null;
  const sorted = secrets.toSorted((a, b) => b.length - a.length);
  return new RegExp(sorted.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

/**
 * Text of a client or provider as the database can store it. NUL characters and lone surrogates would make the write of the whole
 * batch fail. API keys that were pasted into the wrong field (D24) are redacted, because every viewer of the dashboard can read
 * the text.
 */
export function storable(text: string, lengthMax: number): string {
  const start = text.length > lengthMax ? text.slice(0, lengthMax) : text;
  return withoutKeys(start).toWellFormed().replaceAll('\0', '\ufffd');
}
