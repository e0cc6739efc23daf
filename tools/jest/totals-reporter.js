// Ends a run with one plain line: `tests: N passed, N failed, N skipped`.
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = results;
    const broken = testResults.filter(({ testExecError }) => testExecError).length;
    process.stderr.write(
      `tests: ${numPassedTests} passed, ${numFailedTests + broken} failed, ${numPendingTests} skipped\n`,
    );
  }
}
