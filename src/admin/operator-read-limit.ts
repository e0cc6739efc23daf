import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { ConcurrencyLimit } from '../platform/fairness/concurrency-limit.js';

const RESERVED_CONNECTIONS = 4;
const QUEUE = { waiting: 200, waitMs: 2000 } as const;

/** Limits the operators' reads that use the general pool at the same time. Changes and background work need the rest of the pool. */
@Injectable()
export class OperatorReadLimit extends ConcurrencyLimit {
  constructor({ databasePool }: Config) {
    super({ atOnce: Math.max(1, databasePool - RESERVED_CONNECTIONS), ...QUEUE });
  }
}
