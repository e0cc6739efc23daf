import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Admission } from '../../../src/quota/admission.service.js';
import type { ReservedClaim } from '../../../src/quota/limit-claims.js';
import type { QuotaStore } from '../../../src/quota/ledger/quota-store.js';
import { LimitStore } from '../../../src/quota/limits/stores/limit.store.js';
import type { Transaction } from '../../../src/platform/database/transactions.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { addLimit, claimsOf, wrongHolds } from '../../support/limit-rows.js';
import { admissionOf, openStore } from '../../support/open-store.js';
import { QuotaDatabase } from '../../support/quota-database.js';
import { randomOf, type Random } from '../../support/random.js';
import { until } from '../../support/until.js';
import { firstOver, ReferenceLimit, reserveAll, type Per } from './limits-reference.js';

const OPERATIONS = 1000;
const START_MS = Date.UTC(2030, 0, 30, 22, 58);
const DAY_MS = 86_400_000;

let database: QuotaDatabase;
let stores: QuotaStore[];
let admissions: Admission[];
let key: KeySnapshot;
let nowMs = START_MS;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  await database.setNow(nowMs);
  stores = [await openStore(database.url), await openStore(database.url)];
  admissions = stores.map((store) => admissionOf(store));
  key = await database.addKey();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.onApplicationShutdown()));
  await database.drop();
});

interface Running {
  readonly reserved: readonly ReservedClaim[];
  readonly reference: ReturnType<typeof reserveAll>;
  readonly at: number;
}

const KINDS: readonly (readonly [ReferenceLimit['measure'], Per, number | null])[] = [
  ['tokens', 'minute', null],
  ['tokens', 'hour', 300],
  ['tokens', 'day', null],
  ['tokens', 'day', 250],
  ['tokens', 'week', null],
  ['tokens', 'month', 500],
  ['tokens', 'total', null],
  ['tokens', 'rolling_5h', null],
  ['tokens', 'rolling_7d', null],
  ['requests', 'minute', null],
  ['requests', 'rolling_5h', null],
  ['requests', 'month', null],
  ['concurrent_requests', 'total', null],
];

async function createLimits(): Promise<ReferenceLimit[]> {
  const limits: ReferenceLimit[] = [];
  for (const [measure, per, carryMax] of KINDS) {
    const amount = measure === 'tokens' ? 400 : measure === 'requests' ? 9 : 4;
    const id = await addLimit(database.client, { measure, period: per, amount, carry_over: carryMax });
    limits.push(new ReferenceLimit(id, { measure, per, carryMax }, amount, nowMs));
  }
  return limits;
}

class Scenario {
  private readonly running: Running[] = [];
  readonly done = new Map<string, number>();

  constructor(
    private readonly limits: readonly ReferenceLimit[],
    private readonly random: Random,
  ) {}

  async step(): Promise<void> {
    const roll = this.random.below(100);
    if (roll < 40) await this.admit();
    else if (roll < 68) await this.settle();
    else if (roll < 81) await this.advance();
    else if (roll < 86) await this.changeAmount();
    else if (roll < 89) await this.changeMode();
    else if (roll < 93) await this.reset();
    else if (roll < 97) await this.topUp();
    else await this.disable();
  }

  async compare(): Promise<void> {
    expect(await this.stored()).toEqual(this.expected());
    expect(await wrongHolds(database.client)).toEqual([]);
  }

  private expected() {
    return Object.fromEntries(this.limits.map((limit) => [String(limit.id), limit.figures(nowMs)]));
  }

  private async stored() {
    const { rows } = await database.client.query<Record<'id' | 'used' | 'held' | 'overdraft' | 'amount', string>>(
      `select c.limit_id as id, n.used, n.held, n.overdraft, n.amount from limit_counters c
        cross join lateral limit_advanced(c, $1) as n where c.limit_id = any($2)`,
      [nowMs * 1000, this.limits.map(({ id }) => id)],
    );
    return Object.fromEntries(
      rows.map(({ id, used, held, overdraft, amount }) => [
        id,
        { used: Number(used), held: Number(held), overdraft: Number(overdraft), amount: Number(amount) },
      ]),
    );
  }

  private count(name: string): void {
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  private async admit(): Promise<void> {
    const { random } = this;
    const chosen = this.limits.filter((limit) => limit.enabled && random.below(3) === 0);
    const claims = chosen.map((limit) => {
      if (limit.measure !== 'tokens') return { limit, asked: 1, overdraft: 0 };
      return { limit, asked: 1 + random.below(150), overdraft: random.one([0, 0, random.below(600)]) };
    });
    const at = random.below(2);
    const asked = await claimsOf(
      database.client,
      ...claims.map(({ limit, asked, overdraft }) => [limit.id, asked, overdraft] as const),
    );
    const over = firstOver(claims, nowMs);
    const verdict = await admissions[at]!.admit(key, asked);
    if (over !== null) {
      expect(verdict).toMatchObject({ kind: 'over-limit', over: { limitId: over.id } });
      return this.count('refused');
    }
    if (verdict.kind !== 'admitted') throw new Error(`The request got the verdict ${verdict.kind}`);
    this.running.push({ reserved: verdict.reserved ?? [], reference: reserveAll(claims, nowMs), at });
    this.count('admitted');
  }

  private async settle(): Promise<void> {
    if (this.running.length === 0) return;
    const [{ reserved, reference, at }] = this.running.splice(this.random.below(this.running.length), 1) as [Running];
    const spent = reference.map(({ asked }) => this.random.below(Math.ceil(asked * 1.3)));
    const spentOf = new Map(reference.map(({ limit }, i) => [limit.id, spent[i]!]));
    admissions[at]!.settle(
      reserved,
      reserved.map(({ limitId }) => spentOf.get(limitId)!),
    );
    for (const [i, reservation] of reference.entries()) reservation.limit.settle(reservation, spent[i]!, nowMs);
    const expected = this.expected();
    await until(async () => isDeepStrictEqual(await this.stored(), expected));
    this.count('settled');
  }

  private async advance(): Promise<void> {
    nowMs += this.random.one([1000, 60_000, 17 * 60_000, 3_600_000, 7 * 3_600_000, DAY_MS, 9 * DAY_MS]);
    // In one transaction, because a heartbeat between the two changes would be too old. The processes would take each other for dead.
    await database.client.query('begin');
    await database.client.query(`update quota_writer set beat_at = 'infinity' where beat_at is not null`);
    await database.setNow(nowMs);
    await database.client.query('commit');
    // Periods begin with the next request. Until then, settlements still count in the old one.
    await database.client.query('select limit_advance(array(select limit_id from limit_counters), $1)', [nowMs * 1000]);
    for (const limit of this.limits) limit.figures(nowMs);
    this.count('advanced');
  }

  private async changeAmount(): Promise<void> {
    const limit = this.random.one(this.limits);
    limit.base = this.random.below(limit.measure === 'tokens' ? 700 : 14);
    await database.client.query('update limits set amount = $2 where id = $1', [limit.id, limit.base]);
    this.count('amounts');
  }

  private async changeMode(): Promise<void> {
    const limit = this.random.one(this.limits);
    limit.enforced = !limit.enforced;
    const mode = limit.enforced ? 'enforce' : 'observe';
    await database.client.query('update limits set mode = $2 where id = $1', [limit.id, mode]);
  }

  private async reset(): Promise<void> {
    const limit = this.random.one(
      this.limits.filter(({ measure, enabled }) => measure !== 'concurrent_requests' && enabled),
    );
    nowMs += 1;
    await database.setNow(nowMs);
    const { client } = database;
    const transaction = { query: (text: string, values: unknown[]) => client.query(text, values) };
    await new LimitStore(null as never).reset(transaction as unknown as Transaction, limit.id);
    limit.figures(nowMs);
    limit.startAgain();
    this.count('resets');
  }

  private async topUp(): Promise<void> {
    const limit = this.random.one(this.limits.filter(({ measure }) => measure === 'tokens'));
    const [amount, untilMs] = [1 + this.random.below(100), nowMs + 1 + this.random.below(3 * DAY_MS)];
    await database.client.query(
      `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, $2, $3, $4, 'a test')`,
      [limit.id, amount, new Date(nowMs), new Date(untilMs)],
    );
    limit.topUp(amount, untilMs);
    this.count('top-ups');
  }

  private async disable(): Promise<void> {
    const limit = this.random.one(this.limits.filter(({ measure }) => measure !== 'concurrent_requests'));
    nowMs += 1;
    await database.setNow(nowMs);
    limit.figures(nowMs);
    limit.enabled = !limit.enabled;
    await database.client.query('update limits set enabled = $2 where id = $1', [limit.id, limit.enabled]);
    if (limit.enabled) limit.enable();
    this.count('switched');
  }
}

describe('limits compared with a reference', () => {
  test.each([[Date.now() >>> 0], [20260711]])(
    'every verdict and every figure is the same after each of 1,000 random operations (seed %i)',
    async (seed) => {
      const limits = await createLimits();
      const scenario = new Scenario(limits, randomOf(seed));
      for (let i = 0; i < OPERATIONS; i++) {
        await scenario.step();
        await scenario.compare();
      }
      for (const name of ['admitted', 'refused', 'settled', 'advanced', 'amounts', 'resets', 'top-ups', 'switched'])
        expect(scenario.done.get(name)).toBeGreaterThan(5);
      await database.client.query('update limits set deleted_at = clock_timestamp() where deleted_at is null');
    },
    180_000,
  );
});
