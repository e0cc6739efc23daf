import { OFF } from './egress-proxy.kinds.js';
import { completeDatabaseUrl, completeReplicaUrl, type DatabaseVariable } from './libpq-settings.js';
import { secretFilesOf, withSecretFiles } from './secret-files.js';
import { combinationProblems, missingSettings } from './setting-problems.rules.js';
import { SettingReloads } from './setting-reloads.js';
import { ALL_SETTINGS, SETTINGS, type Setting, type Values } from './settings.data.js';
import { readUpstreamsFile } from './upstreams/parse-upstreams.rules.js';
import type { UpstreamsFile } from './upstreams/upstreams-file.js';
import { UpstreamsSource } from './upstreams/upstreams-source.js';
import { sourcesOf } from './upstreams/file-access.js';

/** Gives `Config` a property for each setting, which a class cannot declare from a table. */
const SettingValues = class {
  constructor(values: Values) {
    Object.assign(this, values);
  }
} as new (values: Values) => Values;

export class Config extends SettingValues {
  constructor(
    values: Values,
    readonly reloads = new SettingReloads(),
    readonly upstreams: UpstreamsSource | null = null,
  ) {
    super(values);
  }

  /**
   * @param upstreamsInUse replaces the current content of `GW_UPSTREAMS`, which can be wrong after a reload
   * @throws ConfigError with all problems: invalid values, and missing settings that production requires
   */
  static from(env: Environment, upstreamsInUse: UpstreamsFile | null = null): Config {
    const problems: string[] = [];
    const given = withoutUnusedProxies(withSecretFiles(env, problems));
    const deployment = {
      production: given[SETTINGS.environment.env] === 'production',
      current: given[SETTINGS.profile.env] === 'current',
    };
    const { production } = deployment;
    const values = Object.fromEntries(
      ALL_SETTINGS.map(([name, setting]) => [name, read(setting, given, deployment, problems)]),
    ) as Values;
    if (production) problems.push(...missingSettings(withFileNames(given, env)));
    problems.push(...combinationProblems(values, production));
    const databaseUrl = completeDatabaseUrl(values, problems);
    const statisticsDatabaseUrl = completeReplicaUrl(values.statisticsDatabaseUrl, values, problems);
    const upstreams = upstreamsOf(values.upstreamsFile, { env, production, upstreamsInUse }, problems);
    if (problems.length > 0) throw new ConfigError(problems);
    const pgHost = values.databaseUrl === null ? values.pgHost : null;
    return new Config({ ...values, databaseUrl, statisticsDatabaseUrl, pgHost }, undefined, upstreams);
  }

  with(values: Partial<Values>): Config {
    return new Config({ ...this, ...values }, this.reloads, this.upstreams);
  }

  get production(): boolean {
    return this.environment === 'production';
  }

  /** The variable that is set. `DATABASE_URL` takes precedence, and `pgHost` is null if it is set. */
  get databaseVariable(): DatabaseVariable {
    return this.pgHost === null ? 'DATABASE_URL' : 'PGHOST';
  }

  get isCurrentProfile(): boolean {
    return this.profile === 'current';
  }

  /** Whether anything reads metrics: the metrics listener or the export to a collector. */
  get metricsOn(): boolean {
    return this.metricsPort !== null || this.metricsExporter === 'otlp';
  }
}

/** Unusable settings. The process prints each problem, one line without secrets, and exits with code 78. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problem: string | readonly string[]) {
    const problems = typeof problem === 'string' ? [problem] : problem;
    super(problems.join(' '));
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface UpstreamsContext {
  readonly env: Environment;
  readonly production: boolean;
  readonly upstreamsInUse: UpstreamsFile | null;
}

function upstreamsOf(
  path: string | null,
  { env, production, upstreamsInUse }: UpstreamsContext,
  problems: string[],
): UpstreamsSource | null {
  if (path === null) return null;
  const sources = sourcesOf(path, env, production);
  const result = upstreamsInUse === null ? readUpstreamsFile(sources) : { file: upstreamsInUse };
  if ('file' in result) return new UpstreamsSource(result.file, sources);
  problems.push(...result.problems);
  return null;
}

/** Other programs read these variables too, so an unusable value matters only if the gateway uses it. */
function withoutUnusedProxies(env: Environment): Environment {
  const { egressProxy, httpsProxy, httpProxy, noProxy } = SETTINGS;
  const own = env[egressProxy.env] ?? '';
  const used = (setting: Setting<unknown>) => namesOf(setting).some((name) => (env[name] ?? '') !== '');
  const proxied = own === '' ? used(httpsProxy) || used(httpProxy) : own !== OFF;
  const unused = [...(own === '' ? [] : [httpsProxy, httpProxy]), ...(proxied ? [] : [noProxy])];
  return { ...env, ...Object.fromEntries(unused.flatMap(namesOf).map((name) => [name, ''])) };
}

const namesOf = ({ env, alias }: Setting<unknown>): string[] => (alias === undefined ? [env] : [env, alias]);

/** Adds the file names, because a setting whose file is unusable must not be reported as missing. */
const withFileNames = (given: Environment, env: Environment): Environment => ({
  ...given,
  ...Object.fromEntries(secretFilesOf(env).map(({ env: name, path }) => [name, path])),
});

const CREDENTIAL_IN_URL = /:\/\/.*[@?]/;

interface Deployment {
  readonly production: boolean;
  readonly current: boolean;
}

function read<T>(
  { env, alias = env, kind, secret, ...defaults }: Setting<T>,
  given: Environment,
  { production, current }: Deployment,
  problems: string[],
): T {
  const text = (given[env] ?? '') === '' ? given[alias] : given[env];
  if (text === undefined || text === '') {
    if (production && defaults.inProduction !== undefined) return defaults.inProduction;
    return current && defaults.inCurrent !== undefined ? defaults.inCurrent : defaults.byDefault;
  }
  const value = kind.parse(text);
  if (value !== undefined) return value;
  const hidden = secret || CREDENTIAL_IN_URL.test(text);
  const problem = hidden ? 'has an invalid value (not shown)' : `cannot be ${JSON.stringify(text.slice(0, 100))}`;
  problems.push(`${env} ${kind.problem?.(text) ?? `${problem}. Use ${kind.allowed}.`}`);
  return defaults.byDefault;
}
