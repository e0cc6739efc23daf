import { Command, CommanderError, Option } from 'commander';
import { EXIT, usageError } from './cli-error.js';
import type { Invocation, Result, Work } from './command.js';
import { addInputs, inputOf, type InputOption } from './input-options.js';
import { interruptOnSignal } from './interrupt.js';
import type { MigrateOptions } from './migrate.commands.js';
import {
  JOB_OPTIONS,
  KEY_CHANGES,
  KEY_CREATE_OPTIONS,
  KEY_LIST_OPTIONS,
  KEY_RESET_OPTIONS,
  KEY_UPDATE_OPTIONS,
  KEY_USAGE_OPTIONS,
  type KeyChange,
  OPERATOR_OPTIONS,
  PAGE_OPTIONS,
  POLICIES,
  type Policy,
  POLICY_OPTIONS,
} from './options.data.js';
import type { PasswordOptions } from './password-input.js';

const ABOUT =
  'Manages the gateway from a shell. Commands work directly on the database and read the same settings as the gateway ' +
  '(DATABASE_URL and others). The gateway does not have to run.';
const EPILOG = `
Exit codes: 0 success, 1 failure, 2 invalid command line, 78 invalid setting, 130 or 143 canceled by a signal. docs/cli.md has examples.`;

type Parsed = { readonly work: Work } | { readonly help: string; readonly exitCode: 0 | 2 };

type CommandWork = (call: Invocation, input: Record<string, unknown>, argument: string) => Promise<Result>;

/** Adds a command's options and action. Its module is imported only when the command runs, because the import takes a second. */
type Define = (command: Command, inputs: readonly InputOption[], work: CommandWork) => void;

export function parse(argv: readonly string[]): Parsed {
  let chosen: Work | null = null;
  let help = '';
  const collectHelp = (text: string) => void (help += text);
  const define: Define = (command, inputs, work) => {
    addInputs(command, inputs).action(() => {
      const input = inputOf(inputs, command);
      const [argument = ''] = command.args;
      chosen = (call) => work(call, input, argument);
    });
  };
  const program = new Command('cli')
    .usage('COMMAND [options]')
    .description(ABOUT)
    .addHelpText('after', EPILOG)
    .exitOverride()
    // Help is returned instead of written, because text written here could be lost when the process exits.
    .configureOutput({ writeOut: collectHelp, writeErr: collectHelp, outputError: () => undefined });
  for (const add of [addOperatorCommands, addKeyCommands, addModelCommands, addOtherCommands]) add(program, define);
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `help …` succeed; a group without a command shows the help as an error.
    if (error.code.startsWith('commander.help')) return { help, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
    throw usageError(withoutValues(error.message.replace(/^error: /, '')));
  }
  return chosen === null ? { help: program.helpInformation(), exitCode: EXIT.usage } : { work: chosen };
}

/** Removes values from a message, because `--password=…` or an extra argument can be a password. */
const withoutValues = (message: string): string =>
  message.replace(/'(--?[\w-]+)=[^']*'/g, `'$1'`).replace(/(but got \d+): .*$/s, '$1.');

const groupOf = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).usage('COMMAND [options]');

const commandOf = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).option('--json', 'print one JSON document on stdout instead of text');

function addOperatorCommands(program: Command, define: Define): void {
  const load = () => import('./operator.commands.js');
  const operator = groupOf(program, 'operator', 'manage the operators, who sign in to the dashboard');
  const create = withPassword(commandOf(operator, 'create', 'create an operator'));
  define(create, OPERATOR_OPTIONS, async (call, input) => (await load()).createOperator(call, input, create.opts()));
  const list = commandOf(operator, 'list', 'list operators');
  define(list, PAGE_OPTIONS, async (call, input) => (await load()).listOperators(call, input));
  const reset = withPassword(
    commandOf(operator, 'reset-password', 'set a new password and end all sessions of the operator'),
  );
  reset.argument('<email>', 'email of the operator');
  define(reset, [], async (call, _, email) => (await load()).resetPassword(call, email, reset.opts<PasswordOptions>()));
}

function withPassword(command: Command): Command {
  return command
    .addOption(new Option('--password-stdin', 'read the password from stdin').conflicts('generate'))
    .addOption(new Option('--generate', 'generate a password and print it once').conflicts('passwordStdin'))
    .addHelpText('after', '\nWithout --password-stdin or --generate, the command prompts for the password.');
}

function addKeyCommands(program: Command, define: Define): void {
  const load = () => import('./key.commands.js');
  const key = groupOf(program, 'key', 'manage API keys');
  const onKey = (name: string, description: string) =>
    commandOf(key, name, description).argument('<id>', 'key ID, as "key list" shows it');
  const create = commandOf(key, 'create', 'create a key and print it once');
  define(create, KEY_CREATE_OPTIONS, async (call, input) => (await load()).createKey(call, input));
  const list = commandOf(key, 'list', 'list keys, newest first');
  define(list, KEY_LIST_OPTIONS, async (call, input) => (await load()).listKeys(call, input));
  const update = onKey('update', 'change a key; omitted options keep their values');
  define(update, KEY_UPDATE_OPTIONS, async (call, input, id) => (await load()).updateKey(call, id, input));
  const usage = onKey('usage', 'show the usage of a key by day and by month');
  define(usage, KEY_USAGE_OPTIONS, async (call, input, id) => (await load()).showUsage(call, id, input));
  const reset = onKey('reset-quota', 'reset the request counts of a key; token counts are kept');
  define(reset, KEY_RESET_OPTIONS, async (call, input, id) => (await load()).resetQuota(call, id, input));
  for (const [name, description] of Object.entries(KEY_CHANGES) as [KeyChange, string][]) {
    define(onKey(name, description), [], async (call, _, id) => (await load()).changeKey(call, name, id));
  }
}

function addModelCommands(program: Command, define: Define): void {
  const load = () => import('./model.commands.js');
  const model = groupOf(program, 'model', 'manage model policies');
  const onModel = (name: string, description: string) =>
    commandOf(model, name, description).argument('<model>', 'exact model ID; it does not have to be in the catalog');
  const list = commandOf(model, 'list', 'list blocked and allowed models by ID');
  define(list, PAGE_OPTIONS, async (call, input) => (await load()).listPolicies(call, input));
  for (const [name, { description }] of Object.entries(POLICIES) as [Policy, { description: string }][]) {
    const set = onModel(name, description);
    define(set, POLICY_OPTIONS, async (call, input, id) => (await load()).setPolicy(call, name, id, input));
  }
  const reset = onModel('reset', 'remove the policy; registry and catalog status apply');
  define(reset, [], async (call, _, id) => (await load()).resetPolicy(call, id));
}

function addOtherCommands(program: Command, define: Define): void {
  const request = groupOf(program, 'request', 'inspect requests');
  const show = commandOf(request, 'show', 'show how a request ended or why it was rejected');
  show.argument('<request-id>', 'X-Request-Id of the response');
  define(show, [], async (call, _, id) => (await import('./request.commands.js')).showRequest(call, id));

  const notification = groupOf(program, 'notification', 'show notifications');
  const warnings = commandOf(notification, 'list', 'list notifications, newest first');
  define(warnings, PAGE_OPTIONS, async (call, input) =>
    (await import('./notification.commands.js')).listNotifications(call, input),
  );

  const job = groupOf(program, 'job', 'manage scheduled jobs');
  const runs = commandOf(job, 'list', 'list job runs, newest first');
  define(runs, JOB_OPTIONS, async (call, input) => (await import('./job.commands.js')).listJobs(call, input));
  const daily = commandOf(groupOf(job, 'run', 'run a job now'), 'daily', 'run the daily job and wait until it ends');
  define(daily, [], async (call) => (await import('./job.commands.js')).runDaily(call));

  const migrate = commandOf(program, 'migrate', 'run pending migrations');
  migrate.option('--status', 'only list applied and pending migrations');
  migrate.option('--database-only', 'read only the database settings, for a job without the other secrets');
  define(migrate, [], async (call) => {
    const { status, ...options } = migrate.opts<MigrateOptions & { status?: true }>();
    using interrupt = interruptOnSignal();
    const commands = await import('./migrate.commands.js');
    return status ? await commands.migrationStatus(call, options) : await commands.migrate(call, options, interrupt);
  });

  const doctor = commandOf(program, 'doctor', 'check everything that a gateway needs and suggest fixes');
  define(doctor, [], async (call) => (await import('./doctor/doctor.js')).doctor(call));
}
