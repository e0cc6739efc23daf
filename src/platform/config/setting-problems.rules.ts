import { fileVariable } from './secret-files.js';
import { guessableProblem } from './secret-strength.rules.js';
import { SECRET_LENGTH_MIN, secretTexts } from './secret-texts.rules.js';
import { ALL_SETTINGS, SECRET_SETTINGS, SETTINGS, type SettingName, type Values } from './settings.data.js';
import { pairProblem } from './tls-files.rules.js';
import { editDistance } from './upstreams/nearest-name.rules.js';

type Environment = Readonly<Record<string, string | undefined>>;

export const missingSettings = (env: Environment): string[] =>
  ALL_SETTINGS.map(([, setting]) => setting)
    .filter((setting) => setting.mandatory === true && (env[setting.env] ?? '') === '')
    .filter((setting) => setting !== SETTINGS.databaseUrl || !hasDatabaseVariables(env))
    .filter((setting) => setting !== SETTINGS.upstreamBaseUrl || (env[SETTINGS.upstreamsFile.env] ?? '') === '')
    .map((setting) => `${setting.env} is not set. It is required in production. Use ${setting.kind.allowed}.`);

/** PGHOST and PGDATABASE replace DATABASE_URL. The other PG variables have defaults. */
const hasDatabaseVariables = (env: Environment): boolean =>
  [SETTINGS.pgHost, SETTINGS.pgDatabase].every(({ env: name }) => (env[name] ?? '') !== '');

export function combinationProblems(values: Values, production: boolean): string[] {
  const { upstreamClientCertFile, upstreamClientKeyFile } = SETTINGS;
  const { upstreamMessagesClientCertFile, upstreamMessagesClientKeyFile } = SETTINGS;
  return [
    ...pairProblem(
      { env: upstreamClientCertFile.env, path: values.upstreamClientCertFile },
      { env: upstreamClientKeyFile.env, path: values.upstreamClientKeyFile },
    ),
    ...pairProblem(
      { env: upstreamMessagesClientCertFile.env, path: values.upstreamMessagesClientCertFile },
      { env: upstreamMessagesClientKeyFile.env, path: values.upstreamMessagesClientKeyFile },
    ),
    ...accountNextToFile(values),
    ...unsentMetrics(values),
    ...(production ? [...unacceptableSecrets(values), ...incompleteOwner(values)] : []),
  ];
}

const unacceptableSecrets = (values: Values): string[] =>
  SECRET_SETTINGS.flatMap(([name, { env }]) => secretProblem(name, env, values[name]) ?? []);

export const guessableSecrets = (values: Values): string[] =>
  SECRET_SETTINGS.flatMap(([name, { env }]) => guessableProblem(name, env, values[name]) ?? []);

/** Why production does not accept the value of a secret setting, or null. */
export const secretProblem = (name: SettingName, env: string, value: unknown): string | null =>
  shortSecretProblem(env, value) ?? guessableProblem(name, env, value);

/** A short secret cannot be redacted in the log, and can be guessed. */
function shortSecretProblem(env: string, value: unknown): string | null {
  if (secretTexts(value).every(({ length }) => length >= SECRET_LENGTH_MIN)) return null;
  const rule = `of fewer than ${SECRET_LENGTH_MIN} characters, which production does not accept`;
  return typeof value === 'string' && value.includes('://')
    ? `${env} contains a password ${rule}. Use a longer password.`
    : `${env} is a secret ${rule}. Use a longer secret, or unset ${env} and ${fileVariable(env)} if none is needed.`;
}

/** Settings of a single account, which the file replaces. */
const OF_ONE_ACCOUNT = [
  'upstreamBaseUrl',
  'upstreamApiKey',
  'upstreamMessagesBaseUrl',
  'upstreamMessagesApiKey',
  'upstreamCompletions',
  'upstreamCaFile',
  'upstreamClientCertFile',
  'upstreamClientKeyFile',
  'upstreamMessagesCaFile',
  'upstreamMessagesClientCertFile',
  'upstreamMessagesClientKeyFile',
] as const;

const accountNextToFile = (values: Values): string[] =>
  values.upstreamsFile === null
    ? []
    : OF_ONE_ACCOUNT.filter((name) => values[name] !== null).map(
        (name) => `${SETTINGS.upstreamsFile.env} and ${SETTINGS[name].env} are both set. Set only one of them.`,
      );

function unsentMetrics({ metricsExporter, otlpEndpoint }: Values): string[] {
  if (metricsExporter === 'none' || otlpEndpoint !== null) return [];
  const { metricsExporter: exporter, otlpEndpoint: endpoint } = SETTINGS;
  return [`${exporter.env} is otlp, but ${endpoint.env} is not set. Set it, or set ${exporter.env} to none.`];
}

function incompleteOwner({ ownerEmail, ownerPassword }: Values): string[] {
  if ((ownerEmail === '') === (ownerPassword === '')) return [];
  const names = [SETTINGS.ownerEmail.env, SETTINGS.ownerPassword.env];
  const [missing, present] = ownerEmail === '' ? names : names.toReversed();
  return [`${missing} is not set, but ${present} is. Set both to create the first owner, or neither.`];
}

const PREFIX = 'GW_';
const EDIT_DISTANCE_MAX = 3;
const KNOWN = ALL_SETTINGS.flatMap(([, { env, secret }]) => (secret === true ? [env, fileVariable(env)] : [env]));

const REMOVED: Readonly<Record<string, string>> = {
  REDIS_URL: 'the gateway counts requests in PostgreSQL only',
};

export const removedSettings = (env: Environment): string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => (env[name] ?? '') !== '')
    .map(([name, reason]) => `${name} is ignored: ${reason}`);

export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env).filter((name) => name.startsWith(PREFIX) && !KNOWN.includes(name));

export function nearestSetting(name: string): string | null {
  const bare = name.slice(PREFIX.length);
  if (KNOWN.includes(bare)) return bare;
  const [nearest] = KNOWN.map((known) => ({ known, distance: editDistance(name, known) })).sort(
    (a, b) => a.distance - b.distance,
  );
  return nearest !== undefined && nearest.distance <= EDIT_DISTANCE_MAX ? nearest.known : null;
}
