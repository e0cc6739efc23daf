import { isIP } from 'node:net';
import { CronTime } from 'cron';
import { availableCpus } from './available-cpus.js';
import { withHostParameters } from './database-hosts.rules.js';
import { databaseUrlProblem, isReadable } from './database-url.js';

export interface SettingKind<T> {
  readonly allowed: string;
  /**
   * JSON schema of the value in YAML, for the Helm chart. Fractions from `helm --set` and numbers from `--set-string` are
   * strings. The chart's templates check those again, because `minimum` and `maximum` do not apply to strings.
   */
  readonly schema: Readonly<Record<string, unknown>>;
  parse(text: string): T | undefined;
  /**
   * Why a value that `parse` rejects is invalid, and the remedy, without any part of the value. The text follows the name of the
   * setting. Null if `allowed` is sufficient.
   */
  problem?(text: string): string | null;
}

export const text = (pattern: RegExp, allowed: string): SettingKind<string> => ({
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
  schema: { type: ['integer', 'string'], minimum: min, maximum: max, pattern: /^(0|[1-9]\d{0,14})$/.source },
  parse: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  },
});

export const processes = (): SettingKind<number> => ({
  allowed: 'a whole number from 1 to 256, or auto for one process per core, up to the CPU limit of the container',
  schema: { type: ['integer', 'string'], minimum: 1, maximum: 256, pattern: /^(auto|[1-9]\d{0,2})$/.source },
  parse: (value) => (value === 'auto' ? availableCpus() : integer(1, 256).parse(value)),
});

export const share = (): SettingKind<number> => ({
  allowed: 'a number from 0 to 1',
  schema: { type: ['number', 'string'], minimum: 0, maximum: 1, pattern: /^\d*\.?\d+$/.source },
  parse: (value) => {
    const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= 0 && number <= 1 ? number : undefined;
  },
});

export const oneOf = <const T extends string>(...names: T[]): SettingKind<T> => ({
  allowed: OR.format(names),
  schema: { enum: names },
  parse: (value) => names.find((name) => name === value),
});

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

export const namesOutOf = <const T extends string>(...names: T[]): SettingKind<readonly T[]> => ({
  allowed: `${OR.format(names)}, or a comma-separated list of them`,
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
  schema: { enum: [true, false, 'true', 'false'] },
  parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
});

/** User, password, query and fragment are not allowed, because requests would drop them or messages would show them. */
export const httpUrl = (): SettingKind<string> => ({
  allowed: 'a URL that starts with http:// or https://, without user, password, query or fragment',
  schema: { type: 'string', pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.source },
  parse: (value) => {
    const url = urlOf(value, 'http:', 'https:');
    return url === null || /[?#]/.test(value) || url.username !== '' || url.password !== ''
      ? undefined
      : withoutTrailingSlashes(value);
  },
});

/** Without a database name, the gateway would migrate the database named after the user, which is the driver's default. */
export const postgresUrl = (): SettingKind<string> => ({
  allowed:
    'a URL that starts with postgres:// or postgresql:// and names a database (…/gateway), with `@/:?#%` in user and password ' +
    'percent-encoded (% as %25)',
  schema: { type: 'string', pattern: /^(postgres:|postgresql:)\/\/[^\s/?#]+\/[^\s/?#]+[^\s]*$/.source },
  problem: databaseUrlProblem,
  parse: (text) => {
    const value = withHostParameters(text);
    const url = urlOf(value, 'postgres:', 'postgresql:');
    return url !== null &&
      /^\/[^/]/.test(url.pathname) &&
      isDecodable(url.username, url.password, url.pathname) &&
      databaseUrlProblem(value) === null
      ? withoutTrailingSlashes(value)
      : undefined;
  },
});

/** The file can be written after the start, so only a connection checks it. */
export const laterFile = (): SettingKind<string> => ({
  ...path(),
  allowed: 'the path of a file that the process can read when it connects',
});

const JSON_CHARACTER = /(?:[^"\\\p{Cc}]|\\["\\/])/u.source;
const COMMAND = new RegExp(`^\\[ *"${JSON_CHARACTER}+"( *, *"${JSON_CHARACTER}*")* *\\]$`, 'u');

/** A program and its arguments, so that no shell has to split or quote them. */
export const commandWords = (): SettingKind<readonly string[]> => ({
  allowed: 'a JSON array of strings, with a program and its arguments: `["/opt/password", "{user}"]`',
  schema: { type: 'string', pattern: COMMAND.source },
  problem: () =>
    'is not a JSON array of strings (value not shown). Use the program and its arguments: ["/opt/password", "{user}"].',
  parse: (value) => (COMMAND.test(value) ? (JSON.parse(value) as string[]) : undefined),
});

/** @param keyword an allowed value that is not a path */
export const readableFile = (keyword?: string): SettingKind<string> => ({
  ...path(),
  allowed: `the path of a file that the process can read${keyword === undefined ? '' : `, or ${keyword}`}`,
  parse: (value) => (value === keyword || isReadable(value) ? value : undefined),
});

export const plainText = (): SettingKind<string> => text(/^[^\p{Cc}]+$/u, 'text without control characters');

/** As in libpq, a path is the folder of a Unix socket. */
export const databaseHost = (): SettingKind<string> =>
  text(/^(\/[^,\s]*|[0-9A-Za-z.:_-]+)$/, 'one host name, one IP address, or the folder of a Unix socket');

const withoutTrailingSlashes = (url: string): string => url.replace(/\/+$/, '');

function urlOf(value: string, ...protocols: string[]): URL | null {
  const url = URL.parse(value);
  return url !== null && protocols.includes(url.protocol) ? url : null;
}

/** Whether the parts of a URL can be percent-decoded. Otherwise a later connection would throw. */
export function isDecodable(...parts: string[]): boolean {
  try {
    for (const part of parts) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

export const rotatingSecret = (pattern: RegExp, allowed: string): SettingKind<readonly string[]> => ({
  allowed: `${allowed}, or two of these separated by a comma during a rotation`,
  schema: { type: 'string' },
  parse: (value) => {
    const secrets = value.split(',');
    return secrets.length <= 2 && secrets.every((secret) => pattern.test(secret)) ? secrets : undefined;
  },
});

const RANGE = /\s*(\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F.]*:[0-9a-fA-F.:]*)(\/\d{1,3})?\s*/.source;
const PROXY_RANGES = new RegExp(`^${RANGE}(,${RANGE})*$`);

export const trustedProxies = (): SettingKind<false | number | readonly string[]> => ({
  allowed: 'false, a number of hops from 1 to 10, or a comma-separated list of IP addresses and CIDR ranges',
  schema: {
    anyOf: [
      { enum: [false, 'false'] },
      { type: 'integer', minimum: 1, maximum: 10 },
      { type: 'string', pattern: /^([1-9]|10)$/.source },
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

/** A schedule that matches no date, such as 30 February, is not allowed. */
export const cron = (): SettingKind<string> => ({
  allowed: 'a cron expression with five fields, or six with seconds first, that matches at least one date',
  schema: { type: 'string', pattern: /^(@[a-z]+|\S+( +\S+){4,5})$/.source },
  parse: (value) => (hasNextDate(value) ? value : undefined),
});

function hasNextDate(value: string): boolean {
  try {
    new CronTime(value, 'UTC').getNextDateFrom(new Date(), 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** In nano-dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** Six digits before the point, so that prices in nano-dollars are exact numbers. */
const DOLLARS = /(0|[1-9]\d{0,5})(?:\.(\d{1,6}))?/.source;
const PAIR = new RegExp(`^${DOLLARS}/${DOLLARS}$`);

export const tokenPrices = (): SettingKind<TokenPrices> => ({
  allowed: 'two prices in dollars per million tokens, for input and output: `3/15` or `0.25/1.25`',
  schema: { type: 'string', pattern: PAIR.source },
  parse: (value) => {
    const parts = PAIR.exec(value);
    if (parts === null) return undefined;
    const [, input = '', inputFraction = '', output = '', outputFraction = ''] = parts;
    return { input: nanosOf(input, inputFraction), output: nanosOf(output, outputFraction) };
  },
});

const nanosOf = (whole: string, fraction: string): number => Number(whole + fraction.padEnd(9, '0'));
