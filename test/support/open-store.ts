import { Config } from '../../src/platform/config/config.js';
import { Clock } from '../../src/platform/clock.js';
import { Admission } from '../../src/quota/admission.service.js';
import { Outage } from '../../src/quota/outage.service.js';
import { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import { until } from './until.js';

/** Opens a store with a separate connection, like that of another process. */
export async function openStore(url: string): Promise<QuotaStore> {
  const store = new QuotaStore(Config.from({ DATABASE_URL: url }));
  store.onModuleInit();
  await untilReachable(store);
  return store;
}

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
