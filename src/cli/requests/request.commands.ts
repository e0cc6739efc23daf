import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';

/** `request show`. */
export function addRequestCommands(program: Command, choose: Choose): void {
  const request = program.command('request').description('requests of callers').usage('COMMAND [options]');
  withJson(request.command('show').description('tell how a request ended, or why it was refused'))
    .argument('<request-id>', 'X-Request-Id of the answer')
    .action((id: string) => choose(async (call) => (await import('./request-work.js')).showRequest(call, id)));
}
