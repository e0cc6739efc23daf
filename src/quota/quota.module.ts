import { Module } from '@nestjs/common';
import { Admission } from './admission.service.js';
import { InstanceCap } from './instance-cap.js';
import { Outage } from './outage.service.js';
import { QuotaReset } from './quota-reset.js';
import { QuotaStore } from './stores/quota-store.js';

/**
 * How many requests a key can make: the exact counts of its minute, day and month, and the cap of this instance. Separate,
 * because its counters are the only state that all processes share on every request. Only this module counts requests in
 * `key_quota`. `keys`, `changes` and `scheduler` read the table, and a trigger on `api_keys` raises the version of a key.
 *
 * While the database is unavailable, keys that this process knows are judged from memory. Other keys are refused (503), at
 * once or within 2 s. Served requests are stored, and what a lost answer had counted is subtracted, before the next call (D22).
 */
@Module({
  providers: [Admission, InstanceCap, Outage, QuotaReset, QuotaStore],
  exports: [Admission, InstanceCap, Outage, QuotaReset],
})
export class QuotaModule {}
