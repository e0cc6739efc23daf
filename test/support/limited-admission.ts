import type { Admission } from '../../src/quota/admission.service.js';
import type { LimitClaims, OverLimit, ReservedClaim } from '../../src/quota/limit-claims.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { addLimit, claimsOf, figuresOf, type LimitFigures, type LimitRow } from './limit-rows.js';
import { admissionOf, openStore } from './open-store.js';
import { QuotaDatabase } from './quota-database.js';
import { until } from './until.js';

/** Two processes that admit the requests of one key under limits. */
export class LimitedAdmission {
  key!: KeySnapshot;

  private constructor(
    readonly database: QuotaDatabase,
    private readonly stores: readonly QuotaStore[],
    readonly admissions: readonly Admission[],
  ) {}

  static async open(): Promise<LimitedAdmission> {
    const database = await QuotaDatabase.create();
    const stores = [await openStore(database.url), await openStore(database.url)];
    return new LimitedAdmission(
      database,
      stores,
      stores.map((store) => admissionOf(store)),
    );
  }

  /** Sets the time, and replaces the key. Call it in `beforeEach`. */
  async begin(nowMs: number): Promise<void> {
    await this.database.setNow(nowMs);
    this.key = await this.database.addKey();
  }

  async close(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.onApplicationShutdown()));
    await this.database.drop();
  }

  add(limit: Partial<LimitRow> = {}): Promise<number> {
    return addLimit(this.database.client, limit);
  }

  claim(...items: readonly (readonly [limitId: number, asked: number, overdraft?: number])[]): Promise<LimitClaims> {
    return claimsOf(this.database.client, ...items);
  }

  figures(limitId: number): Promise<LimitFigures> {
    return figuresOf(this.database.client, limitId);
  }

  /** @param at the index of the process */
  admit(claims: LimitClaims, at = 0): Promise<Verdict> {
    return this.admissions[at]!.admit(this.key, claims);
  }

  /** Admits a request, settles it, and waits until the settlement is stored. */
  async use(limitId: number, asked: number, spent: number, at = 0): Promise<void> {
    const reserved = reservedIn(await this.admit(await this.claim([limitId, asked]), at));
    const { used } = await this.figures(limitId);
    this.admissions[at]!.settle(reserved, [spent]);
    await until(async () => (await this.figures(limitId)).used === used + spent);
  }
}

export function reservedIn(verdict: Verdict): readonly ReservedClaim[] {
  if (verdict.kind !== 'admitted') throw new Error(`The request got the verdict ${verdict.kind}`);
  return verdict.reserved ?? [];
}

/** Returns the rejection, with its figures as numbers. */
export function overIn(verdict: Verdict) {
  const over = rejectionIn(verdict);
  return { ...over, amount: Number(over.amount), used: Number(over.used), held: Number(over.held) };
}

export function rejectionIn(verdict: Verdict): OverLimit {
  if (verdict.kind !== 'over-limit') throw new Error(`The request got the verdict ${verdict.kind}`);
  return verdict.over;
}
