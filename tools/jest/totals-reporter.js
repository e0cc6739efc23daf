// The end of a run: one plain line, `tests: N passed, N failed, N skipped`, and a file with the names of the failed spec files.
// `.ci/run` runs those once more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const FAILED_SUITES = 'node_modules/.cache/failed-suites';

export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = results;
    const failed = testResults.filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError);
    // A file that fails as a whole, beside its tests.
    const broken = testResults.filter(({ testExecError }) => testExecError).length;
    process.stderr.write(
      `tests: ${numPassedTests} passed, ${numFailedTests + broken} failed, ${numPendingTests} skipped\n`,
    );
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(FAILED_SUITES, failed.map(({ testFilePath }) => `${relative('.', testFilePath)}\n`).join(''));
  }
}
