import { beforeAll, describe, expect, test } from '@jest/globals';
import { runJest, type JestRun } from './jest-run.js';

const FILES = [
  ...['failing-test', 'timeout', 'throwing-hooks', 'stray-rejection', 'stray-error', 'not-loadable'],
  ...['killed-worker', 'exiting-worker', 'passing', 'fake-timers', 'shared-a', 'shared-b'],
];
const MS_MAX = 180_000;

const statuses = (run: JestRun, file: string) =>
  Object.fromEntries(run.files[file]!.assertionResults.map(({ title, status }) => [title, status]));

describe('a run of the runner', () => {
  let run: JestRun;
  beforeAll(async () => {
    run = await runJest([...FILES, '--maxWorkers=2']);
  }, MS_MAX);

  test('ends with an exit code that says that it failed', () => {
    expect(run.exitCode).toBe(1);
    expect(Object.keys(run.files).sort()).toEqual(FILES.toSorted());
  });

  test('reports a test that fails, with its place in the source', () => {
    expect(statuses(run, 'failing-test')).toEqual({ passes: 'passed', fails: 'failed' });
    expect(run.files['failing-test']!.message).toMatch(/failing-test\.spec\.ts:6/);
  });

  test('ends a test at its time limit and goes on', () => {
    expect(statuses(run, 'timeout')).toEqual({ 'never ends': 'failed', 'runs after it': 'passed' });
    expect(run.files['timeout']!.message).toMatch(/Exceeded timeout of 200 ms/);
  });

  test('fails the tests of a hook that throws or does not end', () => {
    expect(statuses(run, 'throwing-hooks')).toEqual({
      'does not run': 'failed',
      'does not run either': 'failed',
      passes: 'passed',
    });
    expect(run.files['throwing-hooks']).toMatchObject({ status: 'failed' });
    expect(run.files['throwing-hooks']!.message).toMatch(/afterAll of the fixture/);
  });

  test('fails a file that leaves a rejection or an error behind', () => {
    expect(run.files['stray-rejection']).toMatchObject({ status: 'failed' });
    expect(run.files['stray-rejection']!.message).toMatch(/a rejection that nobody handles/);
    expect(run.files['stray-error']).toMatchObject({ status: 'failed' });
    expect(run.files['stray-error']!.message).toMatch(/an error outside of all tests/);
  });

  test('fails a file that cannot be loaded', () => {
    expect(run.files['not-loadable']).toMatchObject({ status: 'failed', assertionResults: [] });
    expect(run.files['not-loadable']!.message).toMatch(/this file cannot be loaded/);
  });

  test('fails a file whose process ends, and runs the other files in a new process', () => {
    expect(run.files['killed-worker']!.message).toMatch(/worker process ended .*signal SIGKILL/);
    expect(run.files['exiting-worker']!.message).toMatch(/worker process ended .*exit code 0/);
    expect(run.files['passing']).toMatchObject({ message: '' });
  });

  test('shows what a spec file writes', () => {
    expect(run.output).toContain('a line of the console');
    expect(run.output).toContain('a line of the process');
  });

  test('runs the global tear-down', () => expect(run.output).toContain('torn down what was set up'));

  test('knows tables, skipped tests and tests to be written', () => {
    expect(statuses(run, 'passing')).toEqual({
      'adds 1 and 2': 'passed',
      'adds 2 and 2': 'passed',
      'is skipped': 'pending',
      'is to be written': 'todo',
      'has the values of the global set-up': 'passed',
    });
  });

  test('fakes timers, with promises between them', () => {
    expect(statuses(run, 'fake-timers')).toEqual({
      'run by their own time, promises between them': 'passed',
      'run synchronously': 'passed',
      'do not hold up a time limit': 'failed',
      'are put back': 'passed',
    });
  });
});

test(
  'modules are shared by the spec files of a process, and a failed test runs again where it says so',
  async () => {
    const run = await runJest(['shared-a', 'shared-b', '--maxWorkers=1']);
    expect(run.exitCode).toBe(0);
    const [a, b] = ['a', 'b'].map((name) => new RegExp(`${name} in process (\\d+)`).exec(run.output)?.[1]);
    expect(a).toMatch(/\d/);
    expect(b).toBe(a);
  },
  MS_MAX,
);

test(
  'a file that blocks the event loop is ended',
  async () => {
    const run = await runJest(['blocked-worker'], { JEST_SILENCE_MS_MAX: '15000' });
    expect(run.exitCode).toBe(1);
    expect(run.files['blocked-worker']!.message).toMatch(/event loop was blocked for 15 s/);
  },
  MS_MAX,
);

test(
  '--bail stops a run, and -t selects tests',
  async () => {
    const bailed = await runJest(['failing-test', 'order', 'passing', 'timeout', '--bail', '--maxWorkers=1'], {
      RUNNER_ORDER_FILE: '/dev/null',
    });
    expect(bailed.exitCode).toBe(1);
    const selected = await runJest(['failing-test', '-t=passes']);
    expect(selected.exitCode).toBe(0);
    expect(statuses(selected, 'failing-test')).toEqual({ passes: 'passed', fails: 'pending' });
  },
  MS_MAX,
);
