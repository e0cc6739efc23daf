import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';
import { addInputs, inputOf } from '../input-options.js';
import { PAGE_OPTIONS } from '../page-options.data.js';

/** `notification list`. */
export function addNotificationCommands(program: Command, choose: Choose): void {
  const notification = program
    .command('notification')
    .description('what operators are warned of')
    .usage('COMMAND [options]');
  const list = withJson(notification.command('list').description('list notifications, the newest first'));
  addInputs(list, PAGE_OPTIONS).action(() => {
    const input = inputOf(PAGE_OPTIONS, list);
    choose(async (call) => (await import('./notification-work.js')).listNotifications(call, input));
  });
}
