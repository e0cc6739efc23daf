import { withJson, type Choose } from '../command.js';
import type { Command } from 'commander';
import { addInputs, inputOf } from '../input-options.js';
import { LIST_OPTIONS } from './job-options.data.js';

/** `job list|run daily`. */
export function addJobCommands(program: Command, choose: Choose): void {
  const job = program.command('job').description('what runs by the clock').usage('COMMAND [options]');
  const list = withJson(job.command('list').description('list runs of jobs, the newest first'));
  addInputs(list, LIST_OPTIONS).action(() => {
    const input = inputOf(LIST_OPTIONS, list);
    choose(async (call) => (await import('./job-work.js')).listJobs(call, input));
  });

  const run = job.command('run').description('run a job now').usage('COMMAND [options]');
  withJson(run.command('daily').description('run the daily job, and wait for its end')).action(() =>
    choose(async (call) => (await import('./job-work.js')).runDaily(call)),
  );
}
