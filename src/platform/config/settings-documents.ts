import type { SettingKind } from './setting-kinds.js';
import { RELOADABLE } from './setting-reloads.js';
import { ALL_SETTINGS, SETTINGS, type Setting } from './settings.data.js';

const all = ALL_SETTINGS.map(([, setting]) => setting);

export function settingsTable(): string {
  return head() + all.map(row).join('');
}

function head(): string {
  const secrets = all.filter(({ secret }) => secret === true);
  const reloadable = RELOADABLE.map((name) => SETTINGS[name]);
  return `# Settings

The gateway reads its settings from environment variables, once at startup. An unset or empty variable has its default value.

- **Invalid values.** The gateway exits with code 78. It prints all problems to stderr, one per line. In production, each line is JSON.
  A line names the variable, its value (unless it is secret) and the allowed values.
- **Secrets in files.** Add \`_FILE\` to the name of a secret setting to read its value from a file. The variables are
  ${named(secrets, '_FILE')}. One newline at the end is removed. Setting a variable and its file together is an error.
- **Changed files.** The gateway checks these files every 2 s. ${named(reloadable)} take effect without a restart, and the others at the
  next start. If a new value is invalid, the previous value remains in use, and the gateway logs an error.
- **Short secrets.** Production rejects secrets and passwords of fewer than 8 characters, because they cannot be redacted in logs.
- **Unknown variables.** The gateway ignores a \`GW_…\` variable that is not listed here. It prints a warning, which suggests a
  setting with a similar name, if there is one.

This page is generated from the code by \`npm run docs:settings\`.

| Setting | Default | Allowed values | Description |
|---|---|---|---|
`;
}

const named = (settings: readonly Setting<unknown>[], end = ''): string =>
  new Intl.ListFormat('en').format(settings.map(({ env }) => `\`${env}${end}\``));

function row({ env, kind, byDefault, inProduction, inCurrent, mandatory, meaning }: Setting<unknown>): string {
  const production = mandatory
    ? '; **required in production**'
    : inProduction === undefined
      ? ''
      : `; ${shown(inProduction, kind)} in production`;
  const current = inCurrent === undefined ? '' : `; ${shown(inCurrent, kind)} with \`GW_PROFILE=current\``;
  return `| \`${env}\` | ${shown(byDefault, kind)}${production}${current} | ${kind.allowed.replaceAll('|', '\\|')} | ${meaning} |\n`;
}

function shown(value: unknown, kind: SettingKind<unknown>): string {
  if (typeof value === 'boolean')
    return `\`${['on', 'off', 'true', 'false'].find((word) => kind.parse(word) === value)}\``;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return `\`${value}\``;
  return '–';
}

/** The Helm chart sets these itself. Another value would contradict its ports, probes or Jobs. */
const SET_BY_THE_CHART = new Set([
  'PORT',
  'NODE_ENV',
  'GW_MIGRATE',
  'GW_DATA_DIR',
  'GW_METRICS_HOST',
  'GW_METRICS_PORT',
  'GW_MODEL_REGISTRY',
]);

/** Data that the chart's templates need besides the schema. All strings are variable names. */
interface ChartSettings {
  readonly secrets: { readonly mandatory: readonly string[]; readonly optional: readonly string[] };
  /** Settings whose value is the path of a file. The chart can mount a key of a Secret there. */
  readonly files: readonly string[];
  readonly onOff: readonly string[];
  /** Production defaults. The chart derives grace periods, timeouts and alerts from them. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Smallest and largest allowed number, for numbers that Helm passes as strings */
  readonly bounds: Readonly<Record<string, readonly [number, number]>>;
  /** Settings without a default in production. Secrets are not among them. */
  readonly required: readonly string[];
}

/** Settings that the chart reads from its value `settings`. */
const settable = all.filter(({ env, secret }) => secret === undefined && !SET_BY_THE_CHART.has(env));

export function chartSettings(): ChartSettings {
  const secrets = all.filter(({ secret }) => secret === true);
  const numbers = settable.map(({ env, byDefault, inProduction = byDefault }) => [env, inProduction] as const);
  return {
    secrets: {
      mandatory: secrets.filter(({ mandatory }) => mandatory === true).map(({ env }) => env),
      optional: secrets.filter(({ mandatory }) => mandatory !== true).map(({ env }) => env),
    },
    files: settable.filter(isFile).map(({ env }) => env),
    onOff: settable.filter(({ kind }) => kind.parse('on') === true).map(({ env }) => env),
    numbers: Object.fromEntries(numbers.filter(([, value]) => typeof value === 'number')) as Record<string, number>,
    bounds: Object.fromEntries(
      settable.flatMap(({ env, kind }) => boundsOf(kind).map((bounds) => [env, bounds] as const)),
    ),
    required: settable.filter(({ mandatory }) => mandatory === true).map(({ env }) => env),
  };
}

const isFile = ({ kind }: Setting<unknown>) => /\b(readable|can read)\b/.test(kind.allowed);

function boundsOf({ schema: { minimum, maximum } }: SettingKind<unknown>): [number, number][] {
  return typeof minimum === 'number' && typeof maximum === 'number' ? [[minimum, maximum]] : [];
}

/**
 * The JSON schema of the chart's `settings`, so that Helm rejects values that the gateway would reject. `null` means the default,
 * as everywhere in Helm. Required settings are checked in the templates, so that `helm lint` passes without values.
 */
export function settingsSchema() {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      settable.map(({ env, kind, meaning }) => [env, { description: meaning, ...forHelm(kind.schema) }]),
    ),
  };
}

/** The JSON schema of maps from settings to keys of Secrets: one for the gateway pods, and one for migrations. */
export function secretKeysSchemas() {
  const isOfDatabase = (env: string) => /^(DATABASE_URL$|PG|GW_DATABASE_PASSWORD_)/.test(env);
  const mapped = all.filter((setting) => setting.secret === true || isFile(setting) || isOfDatabase(setting.env));
  const schemaOf = (names: readonly string[]) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/definitions/secretKey' }])),
  });
  const names = mapped.map(({ env }) => env);
  return { secretKeys: schemaOf(names), databaseKeys: schemaOf(names.filter(isOfDatabase)) };
}

function forHelm(schema: SettingKind<unknown>['schema']): Record<string, unknown> {
  const { anyOf, enum: values, type, pattern } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  if (Array.isArray(values)) return { ...schema, enum: [...(values as unknown[]), null] };
  // `--set` passes the text 2 as a number. Only paths can contain spaces, and no path is a number.
  const allows = (text: string) => typeof pattern === 'string' && new RegExp(pattern, 'u').test(text);
  if (type === 'string' && allows('2') && !allows('a b'))
    return { ...schema, type: ['string', 'integer', 'null'], minimum: 0 };
  return { ...schema, type: [type, 'null'].flat() };
}
