import { type Command, Option } from 'commander';
import { commandOf, type Define, groupOf } from './command-group.js';
import { OPERATOR_OPTIONS, PAGE_OPTIONS, SESSION_LIST_OPTIONS } from './options.data.js';
import type { PasswordOptions } from './password-input.js';

export function addOperatorCommands(program: Command, define: Define): void {
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

export function addSessionCommands(program: Command, define: Define): void {
  const load = () => import('./session.commands.js');
  const session = groupOf(program, 'session', 'show and end the dashboard sessions of operators');
  const list = commandOf(session, 'list', 'list sessions, newest first');
  define(list, SESSION_LIST_OPTIONS, async (call, input) => (await load()).listSessions(call, input));
  const end = commandOf(session, 'end', 'end a session').argument('<id>', 'ID, as "session list" shows it');
  define(end, [], async (call, _, id) => (await load()).endSession(call, id));
  const endAll = commandOf(session, 'end-all', 'end all sessions of an operator');
  endAll.argument('<email>', 'email of the operator');
  define(endAll, [], async (call, _, email) => (await load()).endAllSessions(call, email));
}
