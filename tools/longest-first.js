// The order of a run's suites: a long one that begins last would be waited for alone.
import { BaseSequencer } from 'vitest/node';

/** Suites of a quarter of a minute and more that would else come late. */
const LONG =
  /\/test\/(?:soak|fuzz|workers|stats\/statistics)\/|\/(?:slow-clients|daily-schedule|embedded|migrate|unread-stdout|upstream-matrix|database-away|ten-thousand-clients-gone|models-catalog-away|probe-run)\.spec\.ts$/;

export default class LongestFirst extends BaseSequencer {
  async sort(suites) {
    const sorted = await super.sort(suites);
    const isLong = ({ moduleId }) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((suite) => !isLong(suite))];
  }
}
