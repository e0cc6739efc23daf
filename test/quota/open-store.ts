import { Config } from '../../src/config/config.js';
import { SqlQuotaStore } from '../../src/quota/stores/sql-quota-store.js';
import { until } from './quota-database.js';

/** A store over a connection of its own, as a process has it. */
export async function openStore(url: string): Promise<SqlQuotaStore> {
  const store = new SqlQuotaStore(Config.from({ DATABASE_URL: url }));
  store.onModuleInit();
  await untilReachable(store);
  return store;
}

export const untilReachable = (store: SqlQuotaStore): Promise<void> =>
  until(() =>
    store.look([]).then(
      () => true,
      () => false,
    ),
  );
