import { databaseProblem } from '../../database/database-problem.rules.js';
import { CliError } from '../cli-error.js';

/** @param error as the driver threw it while connecting or asking */
export const databaseUnavailable = (error: unknown, url: string): CliError => {
  const { message, advice } = databaseProblem(error, url);
  return new CliError('database_unavailable', `${message}. ${advice}`);
};
