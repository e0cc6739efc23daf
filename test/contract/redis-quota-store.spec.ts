import { RedisCounts } from '../redis/redis-counts.js';
import { describeWithRedis, testRedisUrl } from '../redis/test-redis.js';
import { holdsTheQuotaContract } from './quota-store.contract.js';

describeWithRedis('RedisQuotaStore', () => {
  holdsTheQuotaContract(async () => {
    const counts = await RedisCounts.open(testRedisUrl(), 2);
    const [one, other] = counts.processes;
    return {
      stores: [one!.store, other!.store],
      setNow: (ms) => counts.setNow(ms),
      addKey: (limits) => counts.addKey(limits),
      changeKey: (key) => counts.changeKey(key),
      resetKey: (key, window) => counts.resetKey(key, window),
      recordTokens: (keyId, month, tokens) => counts.database.recordTokens(keyId, month, tokens),
      close: async () => {
        const bySql = counts.processes.map((process) => process.bySql);
        await counts.close();
        // Hundreds of batches were asked: on a machine that is short of breath one may take too long.
        if (bySql.some((batches) => batches > 5)) throw new Error('PostgreSQL has decided in the place of Redis');
      },
    };
  });
});
