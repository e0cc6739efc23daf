import { Config, ConfigError, type Environment } from '../config/config.js';
import { SETTINGS } from '../config/settings.data.js';
import { readRegistryFile } from '../model-policy/registry/registry-file.js';

/** Reads the settings, and the file of `GW_MODEL_REGISTRY`. @throws ConfigError with the problems of both */
export function readSettings(env: Environment): Config {
  const problems = [
    () => Config.from(env),
    () => readRegistryFile(env[SETTINGS.modelRegistryPath.env] || null),
  ].flatMap(problemsOf);
  if (problems.length > 0) throw new ConfigError(problems);
  return Config.from(env);
}

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
