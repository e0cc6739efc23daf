// Admission in a process of its own: the gateway's own service, with nothing in front of it.
import { join } from 'node:path';
import { openEmbedded } from '../system/databases.js';
import { end, firstMessage, forkOn, SUBJECT_CORE } from '../system/processes.js';

const RATES = [1000];

/** `{rows}`: one for each store and way of asking. */
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

/** @param plan `{closed, rates, seconds}`: at once as often as it goes, and at these even rates */
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
