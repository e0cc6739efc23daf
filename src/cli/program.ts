import { Command, CommanderError, Option } from 'commander';
import { EXIT, usageError } from './cli-error.js';
import type { Work } from './command.js';
import { commandOf, type Define, groupOf } from './command-group.js';
import {
  COST_REPORT_OPTIONS,
  RECONCILE_OPTIONS,
  JOB_OPTIONS,
  LOST_CHANGE_OPTIONS,
  KEY_CHANGES,
  KEY_CREATE_OPTIONS,
  KEY_LIST_OPTIONS,
  KEY_RESET_OPTIONS,
  KEY_UPDATE_OPTIONS,
  KEY_USAGE_OPTIONS,
  type KeyChange,
  PAGE_OPTIONS,
  POLICIES,
  type Policy,
  POLICY_OPTIONS,
  TEAM_CREATE_OPTIONS,
  TEAM_LIST_OPTIONS,
  TEAM_UPDATE_OPTIONS,
  PRICE_LIST_OPTIONS,
  PRICE_SET_OPTIONS,
  PRICE_SHOW_OPTIONS,
  RECOMPUTE_OPTIONS,
  REQUEST_ERROR_OPTIONS,
  REQUEST_LIST_OPTIONS,
} from './options.data.js';
import type { CostReportOptions } from './cost.commands.js';
import { addInputs, inputOf } from './input-options.js';
import { interruptOnSignal } from './interrupt.js';
import { LIMIT_LIST_OPTIONS, LIMIT_SET_OPTIONS, LIMIT_SIMULATE_OPTIONS, TOP_UP_OPTIONS } from './limit-options.data.js';
import type { ImportLitellmOptions } from './litellm/import-litellm.command.js';
import type { ImportOptions } from './price.commands.js';
import type { MigrateOptions } from './migrate.commands.js';
import { addOperatorCommands, addSessionCommands } from './operator-program.js';
import type { ReconcileOptions } from './reconcile.commands.js';
import type { RequestListOptions } from './request.commands.js';

const ABOUT =
  'Manages the gateway from a shell. Commands work directly on the database and read the same settings as the gateway ' +
  '(DATABASE_URL and others). The gateway does not have to run.';
const EPILOG = `
Exit codes: 0 success, 1 failure, 2 invalid command line, 78 invalid setting, 130 or 143 canceled by a signal. docs/cli.md has examples.`;

type Parsed = { readonly work: Work } | { readonly help: string; readonly exitCode: 0 | 2 };

export function parse(argv: readonly string[]): Parsed {
  let chosen: Work | null = null;
  let help = '';
  const collectHelp = (text: string) => void (help += text);
  const define: Define = (command, inputs, work) => {
    addInputs(command, inputs).action(() => {
      const input = inputOf(inputs, command);
      const [argument = '', second = ''] = command.args;
      chosen = (call) => work(call, input, argument, second);
    });
  };
  const program = new Command('cli')
    .usage('COMMAND [options]')
    .description(ABOUT)
    .addHelpText('after', EPILOG)
    .exitOverride()
    // Help is returned instead of written, because text written here could be lost when the process exits.
    .configureOutput({ writeOut: collectHelp, writeErr: collectHelp, outputError: () => undefined });
  const groups = [
    addOperatorCommands,
    addSessionCommands,
    addKeyCommands,
    addTeamCommands,
    addLimitCommands,
    addModelCommands,
    addUpstreamCommands,
    addPriceCommands,
    addCostCommands,
  ];
  for (const add of [...groups, addOtherCommands]) add(program, define);
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

function addTeamCommands(program: Command, define: Define): void {
  const load = () => import('./team.commands.js');
  const team = groupOf(program, 'team', 'manage teams, which own API keys');
  const onTeam = (name: string, description: string) =>
    commandOf(team, name, description).argument('<team>', 'name or ID of the team');
  const list = commandOf(team, 'list', 'list teams by name');
  define(list, TEAM_LIST_OPTIONS, async (call, input) => (await load()).listTeams(call, input));
  const create = commandOf(team, 'create', 'create a team');
  define(create, TEAM_CREATE_OPTIONS, async (call, input) => (await load()).createTeam(call, input));
  const update = onTeam('update', 'change a team; omitted options keep their values');
  define(update, TEAM_UPDATE_OPTIONS, async (call, input, name) => (await load()).updateTeam(call, name, input));
  const remove = onTeam('delete', 'delete a team without keys, and its limits');
  define(remove, [], async (call, _, name) => (await load()).deleteTeam(call, name));
}

function addLimitCommands(program: Command, define: Define): void {
  const load = () => import('./limit.commands.js');
  const limit = groupOf(program, 'limit', 'manage limits of the account, teams, keys and tags');
  const onLimit = (name: string, description: string) =>
    commandOf(limit, name, description).argument('<id>', 'ID of the limit, as "limit list" shows it');
  const list = commandOf(limit, 'list', 'list limits with their figures');
  define(list, LIMIT_LIST_OPTIONS, async (call, input) => (await load()).listLimits(call, input));
  const show = onLimit('show', 'show a limit with its figures');
  define(show, [], async (call, _, id) => (await load()).showLimit(call, id));
  const set = commandOf(limit, 'set', 'create a limit, or change one with --id');
  define(set, LIMIT_SET_OPTIONS, async (call, input) => (await load()).setLimit(call, input));
  const remove = onLimit('delete', 'delete a limit');
  define(remove, [], async (call, _, id) => (await load()).deleteLimit(call, id));
  const reset = onLimit('reset', 'start a new period now, with nothing used');
  define(reset, [], async (call, _, id) => (await load()).resetLimit(call, id));
  const topUp = onLimit('top-up', 'raise a limit temporarily');
  define(topUp, TOP_UP_OPTIONS, async (call, input, id) => (await load()).topUpLimit(call, id, input));
  const topUps = onLimit('top-ups', 'list the top-ups of a limit, newest first');
  define(topUps, PAGE_OPTIONS, async (call, input, id) => (await load()).listTopUps(call, id, input));
  const removeTopUp = onLimit('delete-top-up', 'delete a top-up');
  removeTopUp.argument('<top-up>', 'ID of the top-up, as "limit top-ups" shows it');
  define(removeTopUp, [], async (call, _, id, topUpId) => (await load()).deleteTopUp(call, id, topUpId));
  const alerts = onLimit('alerts', 'list the alerts of a limit, newest first');
  define(alerts, PAGE_OPTIONS, async (call, input, id) => (await load()).listAlerts(call, id, input));
  const simulate = commandOf(limit, 'simulate', 'show what a limit would have rejected in the past');
  define(simulate, LIMIT_SIMULATE_OPTIONS, async (call, input) => (await load()).simulateLimit(call, input));
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

function addUpstreamCommands(program: Command, define: Define): void {
  const load = () => import('./upstream.commands.js');
  const upstream = groupOf(program, 'upstream', 'manage the upstreams of GW_UPSTREAMS');
  const onUpstream = (name: string, description: string) =>
    commandOf(upstream, name, description).argument('<name>', 'name of the upstream, as "upstream list" shows it');
  const list = commandOf(upstream, 'list', 'list upstreams in the order of the file');
  define(list, [], async (call) => (await load()).listUpstreams(call));
  const test = commandOf(
    upstream,
    'test',
    'read the model list of an upstream with its credential; it costs no tokens',
  );
  test.argument('[name]', 'name of the upstream (default: all)');
  define(test, [], async (call, _, name) => (await load()).testUpstreams(call, name));
  const drain = onUpstream('drain', 'send new requests to other upstreams; running requests finish');
  define(drain, [], async (call, _, name) => (await load()).drainUpstream(call, name));
  const resume = onUpstream('resume', 'send requests to a draining upstream again');
  define(resume, [], async (call, _, name) => (await load()).resumeUpstream(call, name));
  const check = commandOf(upstream, 'check', 'check an upstreams file without using it');
  check.argument('[file]', 'YAML or JSON file (default: GW_UPSTREAMS)');
  define(check, [], async (call, _, file) => (await load()).checkUpstreamsFile(call, file));
}

function addCostCommands(program: Command, define: Define): void {
  const cost = groupOf(program, 'cost', 'report and check costs');
  const report = commandOf(cost, 'report', 'show costs by day, key, team, model, endpoint or provider');
  report
    .addOption(new Option('--csv', 'print all groups as CSV').conflicts('focus'))
    .addOption(new Option('--focus', 'print CSV in the format of FOCUS 1.2 for FinOps tools').conflicts('csv'));
  define(report, COST_REPORT_OPTIONS, async (call, input) =>
    (await import('./cost.commands.js')).reportCosts(call, input, report.opts<CostReportOptions>()),
  );
  const reconcile = commandOf(cost, 'reconcile', "compare a provider's cost or usage export with the recorded costs");
  reconcile.argument('<file>', 'CSV export of OpenAI or Anthropic').option('--csv', 'print CSV instead of text');
  define(reconcile, RECONCILE_OPTIONS, async (call, input, file) =>
    (await import('./reconcile.commands.js')).reconcileFile(call, file, input, reconcile.opts<ReconcileOptions>()),
  );
}

function addPriceCommands(program: Command, define: Define): void {
  const load = () => import('./price.commands.js');
  const price = groupOf(program, 'price', 'manage prices and price past requests');
  const list = commandOf(price, 'list', 'list the prices that operators set, by model');
  define(list, PRICE_LIST_OPTIONS, async (call, input) => (await load()).listPrices(call, input));
  const show = commandOf(price, 'show', 'show which price applies to a model, and why').argument('<model>', 'model ID');
  define(show, PRICE_SHOW_OPTIONS, async (call, input, model) => (await load()).showPrice(call, model, input));
  const set = commandOf(price, 'set', 'set a price; recorded costs stay').argument('<model>', 'ID or pattern with "*"');
  define(set, PRICE_SET_OPTIONS, async (call, input, model) => (await load()).setPrice(call, model, input));
  const file = commandOf(price, 'import', 'set the prices of a JSON file, all or none');
  file.argument('<file>', 'prices as the Admin API has them, or a list of LiteLLM, OpenRouter or genai-prices');
  file.option('--dry-run', 'only print what would change');
  file.option('--list <name>', 'provider within a list, if it has several');
  file.option('--provider <name>', 'upstream that the prices of a list are for (default: all)');
  define(file, [], async (call, _, path) => (await load()).importPrices(call, path, file.opts<ImportOptions>()));
  const remove = commandOf(price, 'delete', 'delete a price; recorded costs stay');
  remove.argument('<id>', 'ID of the price, as "price list" shows it');
  define(remove, [], async (call, _, id) => (await load()).deletePrice(call, id));
  const missing = commandOf(price, 'missing', 'list models that were used without a price, the most used first');
  define(missing, PAGE_OPTIONS, async (call, input) => (await load()).listMissingPrices(call, input));
  const recompute = commandOf(price, 'recompute', 'price past requests that had no price');
  define(recompute, RECOMPUTE_OPTIONS, async (call, input) => (await load()).recomputeCosts(call, input));
}

function addOtherCommands(program: Command, define: Define): void {
  const request = groupOf(program, 'request', 'inspect requests');
  const show = commandOf(request, 'show', 'show how a request ended or why it was rejected');
  show.argument('<request-id>', 'X-Request-Id of the response');
  define(show, [], async (call, _, id) => (await import('./request.commands.js')).showRequest(call, id));
  const requests = commandOf(request, 'list', 'list kept requests: the sample and recent failures, newest first');
  requests.option('--csv', 'print all matching requests as CSV');
  define(requests, REQUEST_LIST_OPTIONS, async (call, input) =>
    (await import('./request.commands.js')).listRequests(call, input, requests.opts<RequestListOptions>()),
  );
  const errors = commandOf(request, 'errors', 'count rejected and failed requests by error code and key');
  define(errors, REQUEST_ERROR_OPTIONS, async (call, input) =>
    (await import('./request.commands.js')).countErrors(call, input),
  );
  const unstored = commandOf(request, 'unstored', 'list records of requests that could not be stored, newest first');
  define(unstored, PAGE_OPTIONS, async (call, input) =>
    (await import('./request.commands.js')).listUnstored(call, input),
  );

  const lost = groupOf(program, 'lost-change', 'decide about changes that the database has lost');
  const loadLost = () => import('./lost-change.commands.js');
  const lostList = commandOf(lost, 'list', 'list changes that the database has lost, newest first');
  define(lostList, LOST_CHANGE_OPTIONS, async (call, input) => (await loadLost()).listLostChanges(call, input));
  for (const decision of ['apply', 'discard'] as const) {
    const purpose = decision === 'apply' ? 'make lost changes again' : 'keep the state of the database';
    const decide = commandOf(lost, decision, purpose);
    decide.argument('[ids...]', 'IDs, as "lost-change list" shows them (default: all)');
    define(decide, [], async (call) => (await loadLost()).decideLostChanges(call, decision, decide.args));
  }

  const notification = groupOf(program, 'notification', 'show notifications');
  const list = commandOf(notification, 'list', 'list notifications, newest first');
  define(list, PAGE_OPTIONS, async (call, input) =>
    (await import('./notification.commands.js')).listNotifications(call, input),
  );

  const job = groupOf(program, 'job', 'manage scheduled jobs');
  const runs = commandOf(job, 'list', 'list job runs, newest first');
  define(runs, JOB_OPTIONS, async (call, input) => (await import('./job.commands.js')).listJobs(call, input));
  const daily = commandOf(groupOf(job, 'run', 'run a job now'), 'daily', 'run the daily job and wait until it ends');
  define(daily, [], async (call) => (await import('./job.commands.js')).runDaily(call));

  const litellm = commandOf(
    groupOf(program, 'import', 'switch from another gateway'),
    'litellm',
    'import from LiteLLM',
  );
  litellm
    .option('--config <file>', 'config.yaml, which becomes an upstreams file')
    .option('--database <url>', 'database with teams, keys and budgets (default: LITELLM_DATABASE_URL)')
    .option('--upstreams-file <file>', 'new file for the upstreams (default: print them)')
    .option('--dry-run', 'only print what would be imported');
  define(litellm, [], async (call) =>
    (await import('./litellm/import-litellm.command.js')).importLitellm(call, litellm.opts<ImportLitellmOptions>()),
  );

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
