// Admission in a process of its own: the gateway's own service, with nothing in front of it.
import { join } from 'node:path';
import { openEmbedded, openRedis } from '../system/databases.js';
import { end, firstMessage, forkOn, SUBJECT_CORE } from '../system/processes.js';

const RATES = [1000];

/** `{rows}`: one for each store and way of asking. */
export async function measureAdmission(_scenario, place) {
  const { seconds } = place.options;
  const rows = [];
  const add = async (store, postgres, settings) => {
    const plan = { closed: true, rates: RATES, seconds };
    rows.push(...(await runAdmission(place, postgres, plan, settings)).map((row) => ({ store, ...row })));
  };
  const isEmbedded = place.postgres.kind.startsWith('embedded');
  const embedded = isEmbedded ? place.postgres : await openEmbedded();
  await add(embedded.kind, embedded);
  if (!isEmbedded) await embedded.stop();
  if (!isEmbedded) await add(place.postgres.kind, place.postgres);
  const redis = await openRedis();
  if (redis !== null) {
    await add('Redis', place.postgres, { REDIS_URL: redis.url });
    await redis.stop();
  }
  return { rows };
}

/** @param plan `{closed, rates, seconds}`: at once as often as it goes, and at these even rates */
export async function runAdmission(place, postgres, plan, settings = {}) {
  const database = await postgres.create();
  const args = [JSON.stringify({ ...plan, databaseUrl: database.url, settings: { ...place.settings, ...settings } })];
  const child = forkOn(SUBJECT_CORE, join(import.meta.dirname, '../micro/admission.js'), args);
  try {
    return await firstMessage(child);
  } finally {
    await end(child);
    await database.drop();
  }
}
