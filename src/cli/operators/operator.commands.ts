import { Option, type Command } from 'commander';
import { withJson, type Choose } from '../command.js';
import { addInputs, inputOf } from '../input-options.js';
import { PAGE_OPTIONS } from '../page-options.data.js';
import { CREATE_OPTIONS } from './operator-options.data.js';
import type { PasswordOptions } from './password-source.js';

/** `operator create|list|reset-password`. What they do is loaded only once one is chosen: it takes a second. */
export function addOperatorCommands(program: Command, choose: Choose): void {
  const operator = program
    .command('operator')
    .description('people who sign in to the dashboard')
    .usage('COMMAND [options]');

  const create = withPassword(operator.command('create').description('make an operator'));
  addInputs(create, CREATE_OPTIONS).action(() => {
    const input = inputOf(CREATE_OPTIONS, create);
    const password = create.opts<PasswordOptions>();
    choose(async (call) => (await import('./operator-work.js')).createOperator(call, input, password));
  });

  const list = withJson(operator.command('list').description('list operators'));
  addInputs(list, PAGE_OPTIONS).action(() => {
    const input = inputOf(PAGE_OPTIONS, list);
    choose(async (call) => (await import('./operator-work.js')).listOperators(call, input));
  });

  const reset = withPassword(operator.command('reset-password').description('set a new password; ends their sessions'));
  reset.argument('<email>', 'of the operator').action((email: string) => {
    const password = reset.opts<PasswordOptions>();
    choose(async (call) => (await import('./operator-work.js')).resetPassword(call, email, password));
  });
}

function withPassword(command: Command): Command {
  return withJson(command)
    .addOption(new Option('--password-stdin', 'the password is the first line of stdin').conflicts('generate'))
    .addOption(new Option('--generate', 'make a password and print it once').conflicts('passwordStdin'))
    .addHelpText('after', '\nWithout --password-stdin and --generate the password is asked for on the terminal.');
}
