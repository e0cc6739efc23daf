import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { CronTime } from 'cron';

/**
 * How a setting's text becomes its value. `parse` answers undefined for what is not allowed; `allowed` says what is, and
 * `schema` the same as JSON schema, of the value as somebody writes it in YAML: the chart's schema is made of them.
 */
export interface SettingKind<T> {
  readonly allowed: string;
  readonly schema: Readonly<Record<string, unknown>>;
  parse(text: string): T | undefined;
}

export const text = (pattern = /^[\x20-\x7e]+$/, allowed = 'printable ASCII text'): SettingKind<string> => ({
  allowed,
  schema: { type: 'string', pattern: pattern.source },
  parse: (value) => (pattern.test(value) ? value : undefined),
});

export const path = (): SettingKind<string> => ({
  allowed: 'the path of a file or folder',
  schema: { type: 'string', pattern: /^[^\0\r\n]+$/.source },
  parse: (value) => (/[\0\r\n]/.test(value) ? undefined : value),
});

export const integer = (min: number, max: number): SettingKind<number> => ({
  allowed: `a whole number from ${min} to ${max}`,
  schema: { type: 'integer', minimum: min, maximum: max },
  parse: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  },
});

/** How many processes: a number, or `auto` for one a core. */
export const processes = (): SettingKind<number> => ({
  allowed: 'a whole number from 1 to 256, or auto for one a core',
  schema: { anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }] },
  parse: (value) => (value === 'auto' ? availableParallelism() : integer(1, 256).parse(value)),
});

export const share = (): SettingKind<number> => ({
  allowed: 'a number from 0 to 1',
  schema: { type: 'number', minimum: 0, maximum: 1 },
  parse: (value) => {
    const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= 0 && number <= 1 ? number : undefined;
  },
});

export const oneOf = <const T extends string>(...names: T[]): SettingKind<T> => ({
  allowed: names.join(' or '),
  schema: { enum: names },
  parse: (value) => names.find((name) => name === value),
});

/** Any of `names`, comma-separated. A repeated name counts once. */
export const namesOutOf = <const T extends string>(...names: T[]): SettingKind<readonly T[]> => ({
  allowed: `${names.join(', ')}, or several of them with commas between`,
  schema: { type: 'string', pattern: `^(${names.join('|')})(,(${names.join('|')}))*$` },
  parse: (value) => {
    const given = value.split(',');
    return given.every((word) => names.some((name) => name === word))
      ? names.filter((name) => given.includes(name))
      : undefined;
  },
});

export const onOff = (): SettingKind<boolean> => ({
  allowed: 'on or off',
  // YAML 1.1 reads a bare on or off as a boolean.
  schema: { enum: ['on', 'off', true, false] },
  parse: (value) => (value === 'on' ? true : value === 'off' ? false : undefined),
});

export const trueOrFalse = (): SettingKind<boolean> => ({
  allowed: 'true or false',
  schema: { type: 'boolean' },
  parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
});

/** Where requests go, without a slash at its end. What a URL may hold beside that would be dropped, or shown. */
export const httpUrl = (): SettingKind<string> => ({
  allowed: 'a URL that begins with http:// or https://, without user, password, query and fragment',
  schema: { type: 'string', pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.source },
  parse: (value) => {
    const url = urlOf(value, 'http:', 'https:');
    return url === null || /[?#]/.test(value) || url.username !== '' || url.password !== '' ? undefined : bare(value);
  },
});

/**
 * A database's address with its credentials, without a slash at its end; the files that it names are there. Without a name the
 * driver would take the database of the user's name, or of the machine's, and it would be migrated unasked.
 */
export const postgresUrl = (): SettingKind<string> => ({
  allowed:
    'a URL that begins with postgres:// or postgresql:// and names a database (…/gateway), with % in a password written as ' +
    `%25, whose ${SSL_FILES.join(', ')} can be read`,
  schema: { type: 'string', pattern: /^(postgres:|postgresql:)\/\/[^\s/?#]+\/[^\s/?#]+[^\s]*$/.source },
  parse: (value) => {
    const url = urlOf(value, 'postgres:', 'postgresql:');
    return url !== null &&
      /^\/[^/]/.test(url.pathname) &&
      isDecodable(url) &&
      SSL_FILES.every((name) => url.searchParams.getAll(name).every(isReadable))
      ? bare(value)
      : undefined;
  },
});

const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;

const bare = (url: string): string => url.replace(/\/+$/, '');

function urlOf(value: string, ...protocols: string[]): URL | null {
  const url = URL.parse(value);
  return url !== null && protocols.includes(url.protocol) ? url : null;
}

/** What the drivers do with these parts before they connect. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** One secret, or two with a comma between them while one replaces the other. */
export const rotatingSecret = (pattern: RegExp, allowed: string): SettingKind<readonly string[]> => ({
  allowed: `${allowed}; two, comma-separated, while one replaces the other`,
  schema: { type: 'string' },
  parse: (value) => {
    const secrets = value.split(',');
    return secrets.length <= 2 && secrets.every((secret) => pattern.test(secret)) ? secrets : undefined;
  },
});

const PROXY_RANGES = /^\s*[0-9a-fA-F.:]{2,45}(\/\d{1,3})?\s*(,\s*[0-9a-fA-F.:]{2,45}(\/\d{1,3})?\s*)*$/;

/** `false`, a number of hops, or comma-separated addresses and CIDR ranges: whose X-Forwarded-For is believed. */
export const trustedProxies = (): SettingKind<false | number | readonly string[]> => ({
  allowed: 'false, a number of hops from 1 to 10, or comma-separated addresses or CIDR ranges',
  schema: {
    anyOf: [
      { const: false },
      { type: 'integer', minimum: 1, maximum: 10 },
      { type: 'string', pattern: PROXY_RANGES.source },
    ],
  },
  parse: (value) => {
    if (value === 'false') return false;
    if (/^([1-9]|10)$/.test(value)) return Number(value);
    const ranges = value.split(',').map((range) => range.trim());
    return PROXY_RANGES.test(value) && ranges.every(isRange) ? ranges : undefined;
  },
});

const PREFIX_MAX = { 4: 32, 6: 128 } as const;

function isRange(range: string): boolean {
  const [address = '', prefix = '1'] = range.split('/');
  const version = isIP(address) as 0 | 4 | 6;
  return version !== 0 && Number(prefix) >= 1 && Number(prefix) <= PREFIX_MAX[version];
}

/** A timetable in UTC: five fields, or six with seconds first. One that never comes (30 February) is not allowed. */
export const cron = (): SettingKind<string> => ({
  allowed: 'a cron expression of five fields, or six with seconds first, that comes at all',
  schema: { type: 'string', pattern: /^(@[a-z]+|\S+( +\S+){4,5})$/.source },
  parse: (value) => (isTimetable(value) ? value : undefined),
});

function isTimetable(value: string): boolean {
  try {
    new CronTime(value, 'UTC').getNextDateFrom(new Date(), 'UTC');
    return true;
  } catch {
    return false;
  }
}
