// Long spec files start first, because a long file that starts last would run alone.
import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/** At least 15 s */
const LONG =
  /\/test\/slow\/(?:soak|fuzz|sdk|start\/workers)\/|\/(?:slow-clients|embedded-postgres|unread-stdout|upstream-matrix|database-outage|ten-thousand-disconnects|immediate-changes|storage-disk-full|secret-reload|otlp-export|load|transaction-pooler|bills|limits-model|failures)\.spec\.ts$/;

export default class LongestFirst extends Sequencer {
  #seed;

  constructor(options) {
    super(options);
    const { randomize, seed } = options.globalConfig;
    if (randomize) this.#seed = seed;
  }

  sort(tests) {
    if (this.#seed !== undefined) return shuffled(tests, this.#seed);
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

function shuffled(tests, seed) {
  const keys = new Map(tests.map((test) => [test, createHash('sha1').update(`${seed} ${test.path}`).digest('hex')]));
  return [...tests].sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : 1));
}
