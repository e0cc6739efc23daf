import { Module } from '@nestjs/common';
import { Admission } from './admission.service.js';
import { InstanceCap } from './instance-cap.js';
import { Outage } from './outage.service.js';
import { QuotaReset } from './quota-reset.js';
import { QuotaStore } from './ledger/quota-store.js';

/**
 * Limits the requests of each key and of this process. It is a separate module, because all processes share its counters on every
 * request. While the database is unavailable, known keys are checked in memory (D22), and other keys
 * are rejected (503) within 2 s. The store is corrected afterwards.
 */
@Module({
  providers: [Admission, InstanceCap, Outage, QuotaReset, QuotaStore],
  exports: [Admission, InstanceCap, Outage, QuotaReset],
})
export class QuotaModule {}
