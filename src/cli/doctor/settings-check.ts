import { Config, ConfigError, type Environment } from '../../config/config.js';
import { secretFilesOf } from '../../config/secret-files.js';
import { SETTINGS, type Setting } from '../../config/settings.data.js';
import { nearestSetting, removedSettings, unknownSettings } from '../../config/unknown-settings.rules.js';
import { fail, ok, warn, type Finding } from './finding.js';

const SEE_SETTINGS = 'See docs/settings.md for the allowed values.';

export function checkSettings(env: Environment): { readonly findings: Finding[]; readonly config: Config | null } {
  const { config, problems } = read(env);
  const findings = [
    ...problems.map((problem) => fail('settings', problem, SEE_SETTINGS)),
    ...removedSettings(env).map((warning) => warn('settings', warning, 'Remove it.')),
    ...unknownSettings(env).map((name) =>
      warn('settings', `${name} is not a setting and has no effect`, adviceFor(name)),
    ),
  ];
  if (config === null) return { findings, config };
  const fromFiles = secretFilesOf(env);
  const set = Object.values<Setting<unknown>>(SETTINGS).filter((setting) => isSet(env, setting)).length;
  const files = fromFiles.length === 0 ? '' : `, and ${fromFiles.map(({ variable }) => variable).join(', ')}`;
  return { findings: [ok('settings', `${set} set${files}, NODE_ENV is ${config.environment}`), ...findings], config };
}

const isSet = (env: Environment, { env: name, alias = name }: Setting<unknown>): boolean =>
  [name, alias].some((variable) => (env[variable] ?? '') !== '');

function read(env: Environment): { readonly config: Config | null; readonly problems: readonly string[] } {
  try {
    return { config: Config.from(env), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.problems };
    throw error;
  }
}

function adviceFor(stray: string): string {
  const nearest = nearestSetting(stray);
  return `${nearest === null ? 'Check its spelling.' : `Did you mean ${nearest}?`} ${SEE_SETTINGS}`;
}
