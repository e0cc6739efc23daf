import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Admission } from '../../src/quota/admission.service.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { admissionOf, openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let database: QuotaDatabase;
let stores: QuotaStore[];
let admissions: Admission[];

beforeAll(async () => {
  database = await QuotaDatabase.create();
  stores = [await openStore(database.url), await openStore(database.url)];
  admissions = stores.map((store) => admissionOf(store));
});
beforeEach(() => database.setNow(NOON));
afterAll(async () => {
  await Promise.all(stores.map((store) => store.onApplicationShutdown()));
  await database.drop();
});

const kinds = (verdicts: readonly Verdict[]) => ({
  admitted: verdicts.filter(({ kind }) => kind === 'admitted').length,
  rejected: verdicts.filter(({ kind }) => kind === 'rejected').length,
});

describe('exact limits under concurrent requests', () => {
  const N = 200;

  test.each([
    ['minute', { rpmLimit: N }],
    ['day', { rpdLimit: N }],
    ['month', { monthlyLimit: N }],
  ] as const)('one process admits exactly as many requests as the %s limit allows', async (limit, limits) => {
    const key = await database.addKey(limits);
    const verdicts = await Promise.all(Array.from({ length: 3 * N }, () => admissions[0]!.admit(key)));
    expect(kinds(verdicts)).toEqual({ admitted: N, rejected: 2 * N });
    for (const verdict of verdicts) if (verdict.kind === 'rejected') expect(verdict.limit).toBe(limit);
    expect(await database.stored(key.id)).toMatchObject({ minuteUsed: N, dayUsed: N, monthUsed: N });
  });

  test('two processes together admit exactly as many requests as the limit allows', async () => {
    const key = await database.addKey({ rpdLimit: N });
    const ask = async (admission: Admission): Promise<Verdict[]> => {
      const verdicts: Verdict[] = [];
      for (let i = 0; i < (3 * N) / 2 / 10; i++) {
        verdicts.push(...(await Promise.all(Array.from({ length: 10 }, () => admission.admit(key)))));
      }
      return verdicts;
    };
    const verdicts = (await Promise.all(admissions.map(ask))).flat();
    expect(kinds(verdicts)).toEqual({ admitted: N, rejected: 2 * N });
    const ordinals = verdicts.flatMap((verdict) => (verdict.kind === 'admitted' ? [verdict.figures.day.used] : []));
    expect(new Set(ordinals).size).toBe(N);
  });
});

describe('immediate key changes', () => {
  test('no process admits the previous version of a key after an operator change', async () => {
    const key = await database.addKey();
    expect((await admissions[1]!.admit(key)).kind).toBe('admitted');
    const changed = await database.changeKey(key);
    for (const admission of admissions) expect(await admission.admit(key)).toEqual({ kind: 'stale' });
    expect((await admissions[1]!.admit(changed)).kind).toBe('admitted');
    expect((await admissions[0]!.readKey(key))?.version).toBe(changed.version);
  });

  test('a batch that waits for an operator transaction is checked against the new version', async () => {
    const key = await database.addKey();
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query('begin');
    await admin.query(`update api_keys set status = 'suspended' where id = $1`, [key.id]);
    const verdict = admissions[0]!.admit(key);
    await database.untilStoreWaits();
    await admin.query('commit');
    expect(await verdict).toEqual({ kind: 'stale' });
    expect((await database.stored(key.id)).monthUsed).toBe(0);
    await admin.end();
  });

  test('an unknown key is reported as unknown by admission and by reads', async () => {
    const unknown: KeySnapshot = { ...(await database.addKey()), id: '00000000-0000-4000-8000-000000000000' };
    expect(await admissions[0]!.admit(unknown)).toEqual({ kind: 'unknown' });
    expect(await admissions[0]!.readKey(unknown)).toBeNull();
  });
});

describe('a row that another session locks for long', () => {
  test('a locked key returns 503, and requests with other keys wait at most once', async () => {
    const stuck = await database.addKey();
    const others: KeySnapshot[] = [];
    while (others.length < 19) others.push(await database.addKey());
    const { release } = await database.holdRow(stuck.id);
    const rejected = expect(admissions[0]!.admit(stuck)).rejects.toMatchObject({ code: 'service_unavailable' });
    const verdicts = await Promise.all(others.map((key) => admissions[0]!.admit(key)));
    expect(kinds(verdicts).admitted).toBe(19);
    await rejected;

    // The store now remembers the locked row, so the rejection does not wait for the lock timeout again.
    const again = expect(admissions[0]!.admit(stuck)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await admissions[0]!.admit(others[0]!)).kind).toBe('admitted');
    await again;

    await release();
    expect((await admissions[0]!.admit(stuck)).kind).toBe('admitted');
    expect((await database.stored(stuck.id)).monthUsed).toBe(1);
  });

  test('a locked key is not an outage, and the connection is kept', async () => {
    const key = await database.addKey();
    const sessions = () =>
      database.client.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'gateway admission' order by pid`,
      );
    const before = (await sessions()).rows;
    const { release } = await database.holdRow(key.id);
    await expect(admissions[0]!.admit(key)).rejects.toMatchObject({ code: 'service_unavailable' });
    await release();
    expect((await sessions()).rows).toEqual(before);
  });
});
