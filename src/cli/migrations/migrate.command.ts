import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';

/** `migrate [--status]`. */
export function addMigrateCommand(program: Command, choose: Choose): void {
  const migrate = withJson(program.command('migrate').description('run pending migrations, or tell them'));
  migrate.option('--status', 'only tell which are applied and which are pending').action(() => {
    const { status = false } = migrate.opts<{ status?: boolean }>();
    choose(async (call) => {
      const { migrationStatus, migrate } = await import('./migrate-work.js');
      return status ? migrationStatus(call) : migrate(call);
    });
  });
}
