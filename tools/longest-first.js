// The order of a run's suites: a long one that begins last would be waited for alone.
import { BaseSequencer } from 'vitest/node';

/** Suites of a quarter of a minute and more that would else come late. */
const LONG =
  /\/test\/(?:soak|fuzz|workers|stats\/statistics)\/|\/(?:slow-clients|daily-schedule|embedded|migrate)\.spec\.ts$/;

export default class LongestFirst extends BaseSequencer {
  async sort(suites) {
    const [long = [], others = []] = [true, false].map((isLong) =>
      suites.filter(({ moduleId }) => LONG.test(moduleId) === isLong),
    );
    return [...(await super.sort(long)), ...(await super.sort(others))];
  }
}
