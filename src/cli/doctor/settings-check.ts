import { Config, ConfigError, missingSettings, type Environment } from '../../config/config.js';
import { SETTINGS } from '../../config/settings.data.js';
import { nearestSetting, removedSettings, strayNames } from '../../config/unknown-settings.rules.js';
import { fail, ok, warn, type Finding } from './finding.js';

const NODE_ENV = SETTINGS.environment.env;
const WHERE = 'docs/settings.md lists what each may be.';

/** @returns `config` null where the gateway would not start with these settings */
export function checkSettings(env: Environment): { readonly findings: Finding[]; readonly config: Config | null } {
  const problems = settingProblems(env);
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.env));
  const findings = [
    ...problems.map((problem) => fail('settings', problem, WHERE)),
    ...removedSettings(env).map((warning) => warn('settings', warning, 'Remove it.')),
    ...strayNames(env).map((name) => warn('settings', `${name} is not a setting and has no effect`, adviceFor(name))),
  ];
  if (problems.length > 0) return { findings, config: null };
  const config = Config.from(env);
  const set = [...known].filter((name) => (env[name] ?? '') !== '').length;
  return { findings: [ok('settings', `${set} set, for ${config.environment}`), ...findings], config };
}

function adviceFor(stray: string): string {
  const nearest = nearestSetting(stray);
  return `${nearest === null ? 'Is it misspelt?' : `Was ${nearest} meant?`} ${WHERE}`;
}

/** All of them at once: of values that cannot be the start tells the first one only. */
function settingProblems(env: Environment): string[] {
  const production = env[NODE_ENV] === 'production';
  // Without production's demands each problem is a value that is there: taken out, it lets the next one come to light.
  const left: Record<string, string | undefined> = production ? { ...env, [NODE_ENV]: 'development' } : { ...env };
  const problems: string[] = [];
  for (let problem = firstProblem(left); problem !== null; problem = firstProblem(left)) {
    problems.push(problem);
    delete left[/^\w+/.exec(problem)?.[0] ?? ''];
  }
  return production ? [...problems, ...missingSettings(env), ...halfAnOwner(env)] : problems;
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

function halfAnOwner(env: Environment): string[] {
  const names = [SETTINGS.ownerEmail.env, SETTINGS.ownerPassword.env];
  const unset = names.filter((name) => (env[name] ?? '') === '');
  return unset.length === 1 ? [`${unset[0]} is not set: ${names.join(' and ')} make the first owner together`] : [];
}
