import { SETTINGS, type Setting, type SettingName } from './settings.data.js';

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Values = { readonly [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };

// The fields come from the table: a setting is written down in one place only.
const SettingValues = class {
  constructor(values: Values) {
    Object.assign(this, values);
  }
} as new (values: Values) => Values;

/** Every setting, read once. Injected as a class, so that a test hands in its own. */
export class Config extends SettingValues {
  /**
   * Reads the environment.
   * @param env as process.env; unset and empty mean the default
   * @throws ConfigError for a value that is not allowed, or one that production lacks
   */
  static from(env: Environment): Config {
    const environment = read<unknown>(SETTINGS.environment, env, DEVELOPMENT);
    const profile = read<unknown>(SETTINGS.profile, env, DEVELOPMENT);
    const defaults = { production: environment === 'production', current: profile === 'current' };
    const { production } = defaults;
    const names = Object.keys(SETTINGS) as SettingName[];
    const missing = production ? missingSettings(env) : [];
    // All of them at once: each took a start to be found.
    if (missing.length > 0) throw new ConfigError(missing.join('; '));
    return new Config(
      Object.fromEntries(names.map((name) => [name, read<unknown>(SETTINGS[name], env, defaults)])) as Values,
    );
  }

  /** The same settings with some replaced. */
  with(values: Partial<Values>): Config {
    return new Config({ ...this, ...values });
  }

  get production(): boolean {
    return this.environment === 'production';
  }

  /** Whether the gateway follows the vendors' current APIs (`GW_PROFILE=current`). */
  get current(): boolean {
    return this.profile === 'current';
  }
}

/** A setting that cannot be used: the start ends with exit code 78 and this message, one line without a secret in it. */
export class ConfigError extends Error {}

/** `process.env`, or what stands for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What production lacks in `env`, a sentence each. */
export const missingSettings = (env: Environment): string[] =>
  Object.values<Setting<unknown>>(SETTINGS)
    .filter((setting) => setting.mandatory === true && (env[setting.env] ?? '') === '')
    .map((setting) => `${setting.env} is not set: production needs it, ${setting.kind.allowed}`);

/** A user and password, or a query that may hold a key. */
const CREDENTIAL_IN_URL = /:\/\/.*[@?]/;

/** The settings that decide which defaults the others have. */
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
    const shown =
      setting.secret || CREDENTIAL_IN_URL.test(text) ? 'what it holds (not shown)' : JSON.stringify(text.slice(0, 100));
    throw new ConfigError(`${setting.env} cannot be ${shown}: allowed is ${setting.kind.allowed}`);
  }
  return value;
}
