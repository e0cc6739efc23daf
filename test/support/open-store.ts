import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/clock/clock.js';
import { Admission } from '../../src/quota/admission.service.js';
import { Outage } from '../../src/quota/outage.service.js';
import { QuotaStore } from '../../src/quota/stores/quota-store.js';
import { until } from './until.js';

/** A store over a connection of its own, as a process has it. */
export async function openStore(url: string): Promise<QuotaStore> {
  const store = new QuotaStore(Config.from({ DATABASE_URL: url }));
  store.onModuleInit();
  await untilReachable(store);
  return store;
}

/** What decides by it in a process. */
export const admissionOf = (store: QuotaStore): Admission =>
  new Admission(store, new Outage(Config.from({}), new Clock(), store));

export async function untilReachable(store: QuotaStore): Promise<void> {
  await until(() =>
    store.readCounts([]).then(
      () => true,
      () => false,
    ),
  );
}
