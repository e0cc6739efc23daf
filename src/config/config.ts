import { SETTINGS, type Setting, type SettingName } from './settings.data.js';

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Values = { readonly [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };

const SettingValues = class {
  constructor(values: Values) {
    Object.assign(this, values);
  }
} as new (values: Values) => Values;

export class Config extends SettingValues {
  /** @throws ConfigError if a value is invalid, or if a setting that production requires is missing */
  static from(env: Environment): Config {
    const environment = read<unknown>(SETTINGS.environment, env, DEVELOPMENT);
    const profile = read<unknown>(SETTINGS.profile, env, DEVELOPMENT);
    const defaults = { production: environment === 'production', current: profile === 'current' };
    const { production } = defaults;
    const names = Object.keys(SETTINGS) as SettingName[];
    const missing = production ? missingSettings(env) : [];
    // All in one message, so that a single fix is enough.
    if (missing.length > 0) throw new ConfigError(missing.join(' '));
    return new Config(
      Object.fromEntries(names.map((name) => [name, read<unknown>(SETTINGS[name], env, defaults)])) as Values,
    );
  }

  with(values: Partial<Values>): Config {
    return new Config({ ...this, ...values });
  }

  get production(): boolean {
    return this.environment === 'production';
  }

  get current(): boolean {
    return this.profile === 'current';
  }
}

/** An unusable setting. The process prints the message, one line without secrets, and exits with code 78. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export const missingSettings = (env: Environment): string[] =>
  Object.values<Setting<unknown>>(SETTINGS)
    .filter((setting) => setting.mandatory === true && (env[setting.env] ?? '') === '')
    .map((setting) => `${setting.env} is not set. It is required in production. Use ${setting.kind.allowed}.`);

const CREDENTIAL_IN_URL = /:\/\/.*[@?]/;

interface Defaults {
  readonly production: boolean;
  readonly current: boolean;
}

const DEVELOPMENT: Defaults = { production: false, current: false };

function read<T>(setting: Setting<T>, env: Environment, { production, current }: Defaults): T {
  const text = env[setting.env];
  if (text === undefined || text === '') {
    if (production && setting.inProduction !== undefined) return setting.inProduction;
    return current && setting.inCurrent !== undefined ? setting.inCurrent : setting.byDefault;
  }
  const value = setting.kind.parse(text);
  if (value === undefined) {
    const hidden = setting.secret || CREDENTIAL_IN_URL.test(text);
    const problem = hidden ? 'has an invalid value (not shown)' : `cannot be ${JSON.stringify(text.slice(0, 100))}`;
    throw new ConfigError(`${setting.env} ${problem}. Use ${setting.kind.allowed}.`);
  }
  return value;
}
