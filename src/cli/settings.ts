import { Config, ConfigError } from '../config/config.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import { CliError, EXIT } from './cli-error.js';

/**
 * The settings, read as the gateway's start reads them.
 * @throws CliError `bad_setting`, one line that names the variable
 */
export const readSettings = (env: NodeJS.ProcessEnv): Promise<Config> => asBadSetting(async () => Config.from(env));

/** What the start ends with 78 for, a command ends with 78 for. */
export async function asBadSetting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    throw new CliError('bad_setting', error.message, { exitCode: EXIT.badSetting });
  }
}
