import { Module } from '@nestjs/common';
import { Admission } from './admission.service.js';
import { InstanceCap } from './instance-cap.js';
import { QuotaReset } from './quota-reset.js';
import { QuotaStore } from './stores/quota-store.js';
import { SqlQuotaStore } from './stores/sql-quota-store.js';

/**
 * How many requests a key may make: the exact count of its minute, day and month, and the cap of this instance.
 * Apart, since it is the one place where all processes meet: nobody else touches the counters of a key.
 * It fails closed: while the database cannot be asked nothing is admitted (503), at once or within 2 s, and what a
 * lost answer had counted is taken back before the next call.
 */
@Module({
  providers: [Admission, InstanceCap, QuotaReset, { provide: QuotaStore, useClass: SqlQuotaStore }],
  exports: [Admission, InstanceCap, QuotaReset],
})
export class QuotaModule {}
