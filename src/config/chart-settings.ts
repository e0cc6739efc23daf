import { SETTINGS, type Setting } from './settings.data.js';

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
