import { beforeAll, describe, expect, test } from '@jest/globals';
import { runJest, type JestRun } from './jest-run.js';

const FILES = [
  'failing-test',
  'timeout',
  'throwing-hooks',
  'stray-rejection',
  'stray-error',
  'not-loadable',
  'killed-worker',
  'exiting-worker',
  'passing',
  'fake-timers',
  'shared-a',
  'shared-b',
];
const MS_MAX = 180_000;

const statuses = (run: JestRun, file: string) =>
  Object.fromEntries(run.files[file]!.assertionResults.map(({ title, status }) => [title, status]));

describe('a failing run', () => {
  let run: JestRun;
  beforeAll(async () => {
    run = await runJest([...FILES, '--maxWorkers=2']);
  }, MS_MAX);

  test('a failing run exits with code 1 and reports every file', () => {
    expect(run.exitCode).toBe(1);
    expect(Object.keys(run.files).sort()).toEqual(FILES.toSorted());
  });

  test('a failing test is reported with its source line', () => {
    expect(statuses(run, 'failing-test')).toEqual({ 'a test passes': 'passed', 'a test fails': 'failed' });
    expect(run.files['failing-test']!.message).toMatch(/failing-test\.spec\.ts:6/);
  });

  test('a test that exceeds its timeout fails, and the next test runs', () => {
    expect(statuses(run, 'timeout')).toEqual({ 'a test never ends': 'failed', 'the next test runs': 'passed' });
    expect(run.files['timeout']!.message).toMatch(/Exceeded timeout of 200 ms/);
  });

  test('a test fails if its hook throws or does not end', () => {
    expect(statuses(run, 'throwing-hooks')).toEqual({
      'a test after a throwing beforeAll does not run': 'failed',
      'a test after an endless beforeEach does not run': 'failed',
      'a test before a throwing afterAll passes': 'passed',
    });
    expect(run.files['throwing-hooks']).toMatchObject({ status: 'failed' });
    expect(run.files['throwing-hooks']!.message).toMatch(/afterAll of the fixture/);
  });

  test('a file with an unhandled rejection or a stray error fails', () => {
    expect(run.files['stray-rejection']).toMatchObject({ status: 'failed' });
    expect(run.files['stray-rejection']!.message).toMatch(/a rejection without a handler/);
    expect(run.files['stray-error']).toMatchObject({ status: 'failed' });
    expect(run.files['stray-error']!.message).toMatch(/an error outside all tests/);
  });

  test('a file that cannot be loaded fails', () => {
    expect(run.files['not-loadable']).toMatchObject({ status: 'failed', assertionResults: [] });
    expect(run.files['not-loadable']!.message).toMatch(/this file cannot be loaded/);
  });

  test('a file whose process ends fails, and other files run in a new process', () => {
    expect(run.files['killed-worker']!.message).toMatch(/worker process ended .*signal SIGKILL/);
    expect(run.files['exiting-worker']!.message).toMatch(/worker process ended .*exit code 0/);
    expect(run.files['passing']).toMatchObject({ message: '' });
  });

  test('the output of spec files is shown', () => {
    expect(run.output).toContain('a line from the console');
    expect(run.output).toContain('a line from the process');
  });

  test('the global teardown runs', () => expect(run.output).toContain('torn down what was set up'));

  test('table tests, skipped tests and todo tests are reported', () => {
    expect(statuses(run, 'passing')).toEqual({
      'the sum of 1 and 2 is correct': 'passed',
      'the sum of 2 and 2 is correct': 'passed',
      'a skipped test does not run': 'pending',
      'a todo test has no body': 'todo',
      'environment variables from the global setup are visible': 'passed',
    });
  });

  test('fake timers run synchronously and with promises, and are restored', () => {
    expect(statuses(run, 'fake-timers')).toEqual({
      'timers run by the fake time, with promises between them': 'passed',
      'timers run synchronously': 'passed',
      'fake timers do not delay a test timeout': 'failed',
      'the real timers are restored': 'passed',
    });
  });
});

test(
  'spec files of one process share modules, and jest.retryTimes repeats failed tests',
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
  'a file that blocks the event loop is terminated',
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
    expect(statuses(selected, 'failing-test')).toEqual({ 'a test passes': 'passed', 'a test fails': 'pending' });
  },
  MS_MAX,
);
