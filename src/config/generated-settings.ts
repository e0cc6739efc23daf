import type { SettingKind } from './setting-kinds.js';
import { SETTINGS, type Setting } from './settings.data.js';

const HEAD = `# Settings

Read once at the start, from the environment. Unset means the default, and so does empty. A value that is not allowed ends
the start with exit code 78 and one line that names the variable, what it holds (never a secret) and what is allowed.
A \`GW_…\` variable that is none of them is not heeded: the start warns of it, and names the setting that is most like it.
This page is made from the code (\`npm run docs:settings\`).

| variable | default | allowed | meaning |
|---|---|---|---|
`;

/** docs/settings.md, whole. */
export function settingsTable(): string {
  return HEAD + (Object.values(SETTINGS) as Setting<unknown>[]).map(row).join('');
}

function row({ env, kind, byDefault, inProduction, inCurrent, mandatory, meaning }: Setting<unknown>): string {
  const production = mandatory
    ? '; **mandatory in production**'
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

/** What the Helm chart sets by itself: a value for one of them would contradict a port, a probe or a Job of it. */
const SET_BY_THE_CHART = new Set([
  'PORT',
  'NODE_ENV',
  'GW_MIGRATE',
  'GW_DATA_DIR',
  'GW_METRICS_HOST',
  'GW_METRICS_PORT',
  'GW_MODEL_REGISTRY',
]);

/** What the chart's templates know of the settings, besides their schema. Names of variables throughout. */
interface ChartSettings {
  /** Come from a Secret that is there already; those that production starts only with, and the others. */
  readonly secrets: { readonly mandatory: readonly string[]; readonly optional: readonly string[] };
  /** Whose booleans are spelt `on` and `off`. */
  readonly onOff: readonly string[];
  /** Production's numbers, for what the chart reckons from them: grace periods, time limits, alerts. */
  readonly numbers: Readonly<Record<string, number>>;
}

const all = Object.values(SETTINGS) as readonly Setting<unknown>[];
const open = all.filter(({ env, secret }) => secret === undefined && !SET_BY_THE_CHART.has(env));

/** `files/settings.json` of the chart. */
export function chartSettings(): ChartSettings {
  const secrets = all.filter(({ secret }) => secret === true);
  const numbers = open.map(({ env, byDefault, inProduction = byDefault }) => [env, inProduction] as const);
  return {
    secrets: {
      mandatory: secrets.filter(({ mandatory }) => mandatory === true).map(({ env }) => env),
      optional: secrets.filter(({ mandatory }) => mandatory !== true).map(({ env }) => env),
    },
    onOff: open.filter(({ kind }) => kind.parse('on') === true).map(({ env }) => env),
    numbers: Object.fromEntries(numbers.filter(([, value]) => typeof value === 'number')) as Record<string, number>,
  };
}

/** The JSON schema of the chart's `settings`: what it lets pass, the gateway takes. */
export function settingsSchema() {
  return {
    type: 'object',
    additionalProperties: false,
    required: open.filter(({ mandatory }) => mandatory === true).map(({ env }) => env),
    properties: Object.fromEntries(
      open.map(({ env, kind, meaning }) => [env, { description: meaning, ...kind.schema }]),
    ),
  };
}
