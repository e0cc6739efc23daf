// Ends a run with one plain line, `tests: N passed, N failed, N skipped`. Writes the names of the failed spec files to a file. The
// script `.ci/run` runs those files once more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const FAILED_SUITES = 'node_modules/.cache/failed-suites';

export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = results;
    const failed = testResults.filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError);
    const broken = testResults.filter(({ testExecError }) => testExecError).length;
    process.stderr.write(
      `tests: ${numPassedTests} passed, ${numFailedTests + broken} failed, ${numPendingTests} skipped\n`,
    );
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(FAILED_SUITES, failed.map(({ testFilePath }) => `${relative('.', testFilePath)}\n`).join(''));
  }
}
