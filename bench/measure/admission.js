// Measures the gateway's admission service alone, in a separate process.
import { join } from 'node:path';
import { openEmbedded } from '../system/databases.js';
import { end, firstMessage, forkOn, SUBJECT_CORE } from '../system/processes.js';

const RATES = [1000];

export async function measureAdmission(_scenario, place) {
  const { seconds } = place.options;
  const rows = [];
  const add = async (store, postgres) => {
    const plan = { closed: true, rates: RATES, seconds };
    rows.push(...(await runAdmission(place, postgres, plan)).map((row) => ({ store, ...row })));
  };
  const isEmbedded = place.postgres.kind.startsWith('embedded');
  const embedded = isEmbedded ? place.postgres : await openEmbedded();
  await add(embedded.kind, embedded);
  if (!isEmbedded) await embedded.stop();
  if (!isEmbedded) await add(place.postgres.kind, place.postgres);
  return { rows };
}

/** @param plan `{closed, rates, seconds}`: `closed` also measures the maximum throughput, and `rates` are even rates */
export async function runAdmission(place, postgres, plan) {
  const database = await postgres.create();
  const args = [JSON.stringify({ ...plan, databaseUrl: database.url, settings: place.settings })];
  const child = forkOn(SUBJECT_CORE, join(import.meta.dirname, '../micro/admission.js'), args);
  try {
    return await firstMessage(child);
  } finally {
    await end(child);
    await database.drop();
  }
}
