/** Closes a run with one plain line, whatever the runner: `tests: N passed, N failed, N skipped`. */
export default class TotalsReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    process.stdout.write(`tests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`);
  }
}
