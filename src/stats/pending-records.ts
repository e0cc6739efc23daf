import { Injectable } from '@nestjs/common';
import { LastUse } from './last-use.js';
import { RequestRowQueue } from './request-row.queue.js';
import { UsageLedger } from './usage-ledger.js';

/** Rows of usage that wait at most, some 15 MB. */
const USAGE_ROWS_MAX = 50_000;
/** Rows of the sample that wait at most, some 8 MB: 20 s of a full sample at 1,000 requests a second. */
const SAMPLES_MAX = 20_000;
const REFUSALS_MAX = 2000;

/** What has been recorded and is not written yet: filled by the recorder, emptied by the writer. All of it is bounded. */
@Injectable()
export class PendingRecords {
  readonly usage = new UsageLedger(USAGE_ROWS_MAX);
  readonly lastUse = new LastUse();
  readonly samples = new RequestRowQueue(SAMPLES_MAX);
  readonly refusals = new RequestRowQueue(REFUSALS_MAX);
  /** Requests that are recorded when their tokens have been counted; bounded by the queue of who counts. None rejects. */
  readonly estimates = new Set<Promise<void>>();
}
