import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';
import { addInputs, inputOf } from '../input-options.js';
import {
  CHANGES,
  CREATE_OPTIONS,
  LIST_OPTIONS,
  RESET_OPTIONS,
  UPDATE_OPTIONS,
  USAGE_OPTIONS,
  type KeyChange,
} from './key-options.data.js';

/** `key create|list|update|usage|reset-quota|suspend|unsuspend|revoke|rotate`. What they do is loaded only once one is chosen: it takes a second. */
export function addKeyCommands(program: Command, choose: Choose): void {
  const key = program.command('key').description('API keys').usage('COMMAND [options]');

  const create = withJson(key.command('create').description('make a key; its secret is printed once'));
  addInputs(create, CREATE_OPTIONS).action(() => {
    const input = inputOf(CREATE_OPTIONS, create);
    choose(async (call) => (await import('./key-work.js')).createKey(call, input));
  });

  const list = withJson(key.command('list').description('list keys, the newest first'));
  addInputs(list, LIST_OPTIONS).action(() => {
    const input = inputOf(LIST_OPTIONS, list);
    choose(async (call) => (await import('./key-work.js')).listKeys(call, input));
  });

  const update = onKey(key.command('update').description('change a key; what is not given stays as it is'));
  addInputs(update, UPDATE_OPTIONS).action((id: string) => {
    const input = inputOf(UPDATE_OPTIONS, update);
    choose(async (call) => (await import('./key-work.js')).updateKey(call, id, input));
  });

  const usage = onKey(key.command('usage').description('show what a key has used, by day and by month'));
  addInputs(usage, USAGE_OPTIONS).action((id: string) => {
    const input = inputOf(USAGE_OPTIONS, usage);
    choose(async (call) => (await import('./key-usage-work.js')).showUsage(call, id, input));
  });

  const reset = onKey(key.command('reset-quota').description('count the requests of a key from nothing; tokens stay'));
  addInputs(reset, RESET_OPTIONS).action((id: string) => {
    const input = inputOf(RESET_OPTIONS, reset);
    choose(async (call) => (await import('./key-quota-work.js')).resetQuota(call, id, input));
  });

  for (const [name, description] of Object.entries(CHANGES) as [KeyChange, string][]) {
    onKey(key.command(name).description(description)).action((id: string) =>
      choose(async (call) => (await import('./key-work.js')).changeKey(call, name, id)),
    );
  }
}

const onKey = (command: Command): Command => withJson(command).argument('<id>', 'as key list shows it');
