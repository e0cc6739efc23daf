import { Module } from '@nestjs/common';
import { Admission } from './admission.service.js';
import { InstanceCap } from './instance-cap.js';
import { Outage } from './outage.service.js';
import { QuotaReset } from './quota-reset.js';
import { QuotaStore } from './stores/quota-store.js';

/**
 * Limits the requests of a key: exact counts per minute, day and month, and the cap of this instance. It is separate, because its
 * counters are the only state that all processes share on every request. Only this module counts requests in `key_quota`. `keys`,
 * `changes` and `scheduler` read the table, and a trigger on `api_keys` raises a key's version.
 *
 * While the database is unavailable, keys that this process knows are judged from memory (D22). Other keys are refused (503),
 * immediately or within 2 s. Before the next call, the store adds the requests that were served, and subtracts those that it
 * counted but whose response was lost.
 */
@Module({
  providers: [Admission, InstanceCap, Outage, QuotaReset, QuotaStore],
  exports: [Admission, InstanceCap, Outage, QuotaReset],
})
export class QuotaModule {}
