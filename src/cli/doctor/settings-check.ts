import { Config, ConfigError, missingSettings, type Environment } from '../../config/config.js';
import { SETTINGS } from '../../config/settings.data.js';
import { nearestSetting, removedSettings, strayNames } from '../../config/unknown-settings.rules.js';
import { fail, ok, warn, type Finding } from './finding.js';

const NODE_ENV = SETTINGS.environment.env;
const SEE_SETTINGS = 'See docs/settings.md for the allowed values.';

export function checkSettings(env: Environment): { readonly findings: Finding[]; readonly config: Config | null } {
  const problems = settingProblems(env);
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.env));
  const findings = [
    ...problems.map((problem) => fail('settings', problem, SEE_SETTINGS)),
    ...removedSettings(env).map((warning) => warn('settings', warning, 'Remove it.')),
    ...strayNames(env).map((name) => warn('settings', `${name} is not a setting and has no effect`, adviceFor(name))),
  ];
  if (problems.length > 0) return { findings, config: null };
  const config = Config.from(env);
  const set = [...known].filter((name) => (env[name] ?? '') !== '').length;
  return { findings: [ok('settings', `${set} set, NODE_ENV is ${config.environment}`), ...findings], config };
}

function adviceFor(stray: string): string {
  const nearest = nearestSetting(stray);
  return `${nearest === null ? 'Check its spelling.' : `Did you mean ${nearest}?`} ${SEE_SETTINGS}`;
}

/** Collects all problems, whereas a gateway's start reports only the first invalid value. */
function settingProblems(env: Environment): string[] {
  const production = env[NODE_ENV] === 'production';
  // Outside production no setting is required. Each problem is an invalid value, and removing it reveals the next one.
  const remaining: Record<string, string | undefined> = production ? { ...env, [NODE_ENV]: 'development' } : { ...env };
  const problems: string[] = [];
  for (let problem = firstProblem(remaining); problem !== null; problem = firstProblem(remaining)) {
    problems.push(problem);
    delete remaining[/^\w+/.exec(problem)?.[0] ?? ''];
  }
  return production ? [...problems, ...missingSettings(env), ...incompleteOwner(env)] : problems;
}

function firstProblem(env: Environment): string | null {
  try {
    Config.from(env);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function incompleteOwner(env: Environment): string[] {
  const names = [SETTINGS.ownerEmail.env, SETTINGS.ownerPassword.env];
  const unset = names.filter((name) => (env[name] ?? '') === '');
  return unset.length === 1 ? [`${unset[0]} is not set: the first owner needs both ${names.join(' and ')}`] : [];
}
