import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';
import { addInputs, inputOf } from '../input-options.js';
import { PAGE_OPTIONS } from '../page-options.data.js';
import { POLICIES, POLICY_OPTIONS, type Policy } from './model-options.data.js';

/** `model list|block|allow|reset`. */
export function addModelCommands(program: Command, choose: Choose): void {
  const model = program.command('model').description('models: which are routed').usage('COMMAND [options]');

  const list = withJson(model.command('list').description('list the models that are blocked or allowed, by their ids'));
  addInputs(list, PAGE_OPTIONS).action(() => {
    const input = inputOf(PAGE_OPTIONS, list);
    choose(async (call) => (await import('./model-work.js')).listPolicies(call, input));
  });

  for (const [name, { description }] of Object.entries(POLICIES) as [Policy, { description: string }][]) {
    const command = onModel(model.command(name).description(description));
    addInputs(command, POLICY_OPTIONS).action((id: string) => {
      const input = inputOf(POLICY_OPTIONS, command);
      choose(async (call) => (await import('./model-work.js')).setPolicy(call, name, id, input));
    });
  }

  onModel(model.command('reset').description('neither: the model goes by registry and catalog again')).action(
    (id: string) => choose(async (call) => (await import('./model-work.js')).resetPolicy(call, id)),
  );
}

const onModel = (command: Command): Command => withJson(command).argument('<model>', 'its exact id, listed or not');
