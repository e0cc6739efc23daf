import { Command, CommanderError } from 'commander';
import { EXIT, usageError } from './cli-error.js';
import type { Work } from './command.js';
import { addDoctorCommand } from './doctor/doctor.command.js';
import { addJobCommands } from './jobs/job.commands.js';
import { addKeyCommands } from './keys/key.commands.js';
import { addMigrateCommand } from './migrations/migrate.command.js';
import { addModelCommands } from './models/model.commands.js';
import { addNotificationCommands } from './notifications/notification.commands.js';
import { addOperatorCommands } from './operators/operator.commands.js';
import { addRequestCommands } from './requests/request.commands.js';

const ABOUT =
  "What the gateway's operators do from a shell. It works on the database itself, by the same settings as the gateway " +
  '(DATABASE_URL and the others), whether or not a gateway runs.';
const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong command line, 78 a setting that cannot be used. docs/cli.md has examples.`;

/** What was typed: something to do, or help to show. */
type Parsed = { readonly work: Work } | { readonly help: string; readonly exitCode: 0 | 2 };

/** @throws CliError `usage` */
export function parse(argv: readonly string[]): Parsed {
  let work: Work | null = null;
  let help = '';
  const choose = (chosen: Work) => void (work = chosen);
  const keep = (text: string) => void (help += text);
  const program = new Command('cli')
    .usage('COMMAND [options]')
    .description(ABOUT)
    .addHelpText('after', AFTER)
    .exitOverride()
    // Errors come as exceptions; help is kept, since what is written now may not leave before the process ends.
    .configureOutput({ writeOut: keep, writeErr: keep, outputError: () => undefined });
  addOperatorCommands(program, choose);
  addKeyCommands(program, choose);
  addModelCommands(program, choose);
  addRequestCommands(program, choose);
  addNotificationCommands(program, choose);
  addJobCommands(program, choose);
  addMigrateCommand(program, choose);
  addDoctorCommand(program, choose);
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `help …` were meant to show it; a command that only has others below it shows it as an error.
    if (error.code.startsWith('commander.help')) return { help, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
    throw usageError(withoutValues(error.message.replace(/^error: /, '')));
  }
  return work === null ? { help: program.helpInformation(), exitCode: EXIT.usage } : { work };
}

/** Somebody may have typed `--password=…`, or a password as an argument: no value is repeated. */
const withoutValues = (message: string): string =>
  message.replace(/'(--?[\w-]+)=[^']*'/g, `'$1'`).replace(/(but got \d+): .*$/s, '$1.');
