import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ConcurrencyLimit } from '../fairness/concurrency-limit.js';

/** Connections of the general pool that reads of operators leave to everything else. */
const LEFT_TO_OTHERS = 4;
const LINE = { waiting: 200, waitMs: 2000 } as const;

/** One line for all controllers. */
@Injectable()
export class ReadTurns extends ConcurrencyLimit {
  constructor({ databasePool }: Config) {
    super({ atOnce: Math.max(1, databasePool - LEFT_TO_OTHERS), ...LINE });
  }
}
