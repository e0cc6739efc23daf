import { describe } from 'vitest';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { holdsTheQuotaContract } from './quota-store.contract.js';

describe('SqlQuotaStore', () => {
  holdsTheQuotaContract(async () => {
    const database = await QuotaDatabase.create();
    const stores = [await openStore(database.url), await openStore(database.url)] as const;
    return {
      stores,
      setNow: (ms) => database.setNow(ms),
      addKey: (limits) => database.addKey(limits),
      changeKey: (key) => database.changeKey(key),
      resetKey: (key, window) => database.resetKey(key, window),
      recordTokens: (keyId, month, tokens) => database.recordTokens(keyId, month, tokens),
      close: async () => {
        await Promise.all(stores.map((store) => store.onApplicationShutdown()));
        await database.drop();
      },
    };
  });
});
