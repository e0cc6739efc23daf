// What is left of a run: one plain line, `tests: N passed, N failed, N skipped`, and a file that names the suites that failed,
// for whoever wants to run those once more (.ci/run).
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const FAILED_SUITES = 'node_modules/.cache/failed-suites';

export default class TotalsReporter {
  onTestRunEnd(suites, errors) {
    const tests = suites.flatMap((suite) => [...suite.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const broken = suites.filter((suite) => suite.errors().length > 0).length + errors.length;
    process.stdout.write(
      `tests: ${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    );
    const failed = suites.filter((suite) => !suite.ok()).map(({ moduleId }) => relative('.', moduleId));
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(FAILED_SUITES, failed.map((name) => `${name}\n`).join(''));
  }
}
