import type { JsonObject } from '../wire/json-object.js';

const LENGTH_MAX = 10_000;
const WORDS_LENGTH = 80;

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2025-01-15',
  'date-time': '2025-01-15T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'sandbox@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Clients run commands and write files, so fields with these names never contain the user's text. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(?:cmd|command|commands|script|shell|code|chars|stdin)$/i, 'echo "Hello from the sandbox"'],
  [/(?:^|_)(?:path|file|filename|cwd|workdir|dir|directory)$|(?:file|dir)_?(?:path|name)$/i, 'sandbox.txt'],
  [/^patch$|^diff$/i, ''],
  [/e-?mail/i, 'sandbox@example.com'],
  [/city|location|place|destination/i, 'Paris'],
  [/country/i, 'France'],
  [/time_?zone/i, 'Europe/Paris'],
  [/currency/i, 'EUR'],
  [/url|link/i, 'https://example.com/'],
  [/date|day/i, '2025-01-15'],
  [/time/i, '12:00'],
  [/id$/i, 'sandbox-1'],
  [/name$/i, 'Sandbox'],
];

/** Returns a string for the schema's format, the field's name or the user's text, within the schema's lengths. */
export function sampleString(schema: JsonObject, name: string, text: string): string {
  const format = typeof schema.format === 'string' ? BY_FORMAT[schema.format] : undefined;
  const named = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const value = format ?? named ?? ([...text.slice(0, 2 * WORDS_LENGTH)].slice(0, WORDS_LENGTH).join('') || 'sandbox');
  const lengthMin = typeof schema.minLength === 'number' ? Math.min(schema.minLength, LENGTH_MAX) : 0;
  const lengthMax = typeof schema.maxLength === 'number' ? schema.maxLength : LENGTH_MAX;

  return value.padEnd(lengthMin, '.').slice(0, lengthMax);
}

/** Returns the valid whole number nearest to 1, or a fraction if the range contains no whole number. */
export function sampleNumber(schema: JsonObject): number {
  const least = numberOr(schema.minimum, -Infinity);
  const most = numberOr(schema.maximum, Infinity);
  const above = numberOr(schema.exclusiveMinimum, -Infinity);
  const below = numberOr(schema.exclusiveMaximum, Infinity);
  const low = Math.max(least, above);
  const high = Math.min(most, below);
  const whole = [1, Math.ceil(low), Math.floor(low) + 1, Math.floor(high), Math.ceil(high) - 1];
  const fits = (value: number): boolean => value >= least && value > above && value <= most && value < below;
  const value =
    [...whole, (low + high) / 2, low].find((candidate) => Number.isFinite(candidate) && fits(candidate)) ?? 1;
  const step = numberOr(schema.multipleOf, 0);

  return step > 0 ? Math.ceil(value / step) * step : value;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
