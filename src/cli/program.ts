import { Command, CommanderError, Option } from 'commander';
import { EXIT, usageError } from './cli-error.js';
import type { Invocation, Result, Work } from './command.js';
import { addInputs, inputOf, type InputOption } from './input-options.js';
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
  "What the gateway's operators do from a shell. It works on the database itself, by the same settings as the gateway " +
  '(DATABASE_URL and the others), whether or not a gateway runs.';
const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong command line, 78 a setting that cannot be used. docs/cli.md has examples.`;

/** Work to do, or help to show. */
type Parsed = { readonly work: Work } | { readonly help: string; readonly exitCode: 0 | 2 };

/** `argument` is the command's first one, if it has one. */
type CommandWork = (call: Invocation, input: Record<string, unknown>, argument: string) => Promise<Result>;

/** Ends the definition of a command. Its work begins after parsing; only then its module is imported, which takes a second. */
type Define = (command: Command, inputs: readonly InputOption[], work: CommandWork) => void;

/** @throws CliError `usage` */
export function parse(argv: readonly string[]): Parsed {
  let chosen: Work | null = null;
  let help = '';
  const keep = (text: string) => void (help += text);
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
    .addHelpText('after', AFTER)
    .exitOverride()
    // Errors are exceptions. Help is returned: text written here could be lost when the process ends.
    .configureOutput({ writeOut: keep, writeErr: keep, outputError: () => undefined });
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

/** A value could be a password, such as in `--password=…` or an extra argument: none is repeated. */
const withoutValues = (message: string): string =>
  message.replace(/'(--?[\w-]+)=[^']*'/g, `'$1'`).replace(/(but got \d+): .*$/s, '$1.');

const groupOf = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).usage('COMMAND [options]');

const commandOf = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .option('--json', 'one JSON document on stdout instead of text for people');

function addOperatorCommands(program: Command, define: Define): void {
  const load = () => import('./operator.commands.js');
  const operator = groupOf(program, 'operator', 'people who sign in to the dashboard');
  const create = withPassword(commandOf(operator, 'create', 'make an operator'));
  define(create, OPERATOR_OPTIONS, async (call, input) => (await load()).createOperator(call, input, create.opts()));
  const list = commandOf(operator, 'list', 'list operators');
  define(list, PAGE_OPTIONS, async (call, input) => (await load()).listOperators(call, input));
  const reset = withPassword(commandOf(operator, 'reset-password', 'set a new password; ends their sessions'));
  reset.argument('<email>', 'of the operator');
  define(reset, [], async (call, _, email) => (await load()).resetPassword(call, email, reset.opts<PasswordOptions>()));
}

function withPassword(command: Command): Command {
  return command
    .addOption(new Option('--password-stdin', 'the password is the first line of stdin').conflicts('generate'))
    .addOption(new Option('--generate', 'make a password and print it once').conflicts('passwordStdin'))
    .addHelpText('after', '\nWithout --password-stdin and --generate the password is asked for on the terminal.');
}

function addKeyCommands(program: Command, define: Define): void {
  const load = () => import('./key.commands.js');
  const key = groupOf(program, 'key', 'API keys');
  const onKey = (name: string, description: string) =>
    commandOf(key, name, description).argument('<id>', 'as key list shows it');
  const create = commandOf(key, 'create', 'make a key; its secret is printed once');
  define(create, KEY_CREATE_OPTIONS, async (call, input) => (await load()).createKey(call, input));
  const list = commandOf(key, 'list', 'list keys, the newest first');
  define(list, KEY_LIST_OPTIONS, async (call, input) => (await load()).listKeys(call, input));
  const update = onKey('update', 'change a key; what is not given stays as it is');
  define(update, KEY_UPDATE_OPTIONS, async (call, input, id) => (await load()).updateKey(call, id, input));
  const usage = onKey('usage', 'show what a key has used, by day and by month');
  define(usage, KEY_USAGE_OPTIONS, async (call, input, id) => (await load()).showUsage(call, id, input));
  const reset = onKey('reset-quota', 'count the requests of a key from nothing; tokens stay');
  define(reset, KEY_RESET_OPTIONS, async (call, input, id) => (await load()).resetQuota(call, id, input));
  for (const [name, description] of Object.entries(KEY_CHANGES) as [KeyChange, string][]) {
    define(onKey(name, description), [], async (call, _, id) => (await load()).changeKey(call, name, id));
  }
}

function addModelCommands(program: Command, define: Define): void {
  const load = () => import('./model.commands.js');
  const model = groupOf(program, 'model', 'models: which are routed');
  const onModel = (name: string, description: string) =>
    commandOf(model, name, description).argument('<model>', 'its exact id, listed or not');
  const list = commandOf(model, 'list', 'list the models that are blocked or allowed, by their ids');
  define(list, PAGE_OPTIONS, async (call, input) => (await load()).listPolicies(call, input));
  for (const [name, { description }] of Object.entries(POLICIES) as [Policy, { description: string }][]) {
    const set = onModel(name, description);
    define(set, POLICY_OPTIONS, async (call, input, id) => (await load()).setPolicy(call, name, id, input));
  }
  const reset = onModel('reset', 'neither: the model goes by registry and catalog again');
  define(reset, [], async (call, _, id) => (await load()).resetPolicy(call, id));
}

function addOtherCommands(program: Command, define: Define): void {
  const request = groupOf(program, 'request', 'requests of callers');
  const show = commandOf(request, 'show', 'tell how a request ended, or why it was refused');
  show.argument('<request-id>', 'X-Request-Id of the answer');
  define(show, [], async (call, _, id) => (await import('./request.commands.js')).showRequest(call, id));

  const notification = groupOf(program, 'notification', 'what operators are warned of');
  const warnings = commandOf(notification, 'list', 'list notifications, the newest first');
  define(warnings, PAGE_OPTIONS, async (call, input) =>
    (await import('./notification.commands.js')).listNotifications(call, input),
  );

  const job = groupOf(program, 'job', 'what runs by the clock');
  const runs = commandOf(job, 'list', 'list runs of jobs, the newest first');
  define(runs, JOB_OPTIONS, async (call, input) => (await import('./job.commands.js')).listJobs(call, input));
  const daily = commandOf(groupOf(job, 'run', 'run a job now'), 'daily', 'run the daily job, and wait for its end');
  define(daily, [], async (call) => (await import('./job.commands.js')).runDaily(call));

  const migrate = commandOf(program, 'migrate', 'run pending migrations, or tell them');
  migrate.option('--status', 'only tell which are applied and which are pending');
  define(migrate, [], async (call) => {
    const { migrationStatus, migrate: run } = await import('./migrate.commands.js');
    return migrate.opts<{ status?: true }>().status ? migrationStatus(call) : run(call);
  });

  const doctor = commandOf(program, 'doctor', 'look whether all is well, and tell what to do');
  define(doctor, [], async (call) => (await import('./doctor/doctor.js')).doctor(call));
}
