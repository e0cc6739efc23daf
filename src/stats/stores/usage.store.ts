import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RecentEntries, REMEMBERED_MS } from '../../platform/database/recent-entries.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { dateOf } from '../reports/usage-range.rules.js';
import { COUNTED_KINDS } from '../../costs/usage-kinds.data.js';
import type { UsageRow } from '../usage-ledger.js';
import { areUnwritable } from './unstored-record.store.js';

const ADD = sqlFile(import.meta.url, './add-usage.sql');
const ATTEMPTS_MAX = 4;
/** Characters of remembered batches, before the older half is forgotten. A thousand rows have about 500,000. */
const LENGTH_MAX = 16_000_000;

/** The parameters of a batch, as JSON. */
type Content = readonly [usage: string, costs: string, unpriced: string, failures: string];

interface StoredBatch {
  readonly number: number;
  readonly atMs: number;
  readonly content: Content;
}

const EMPTY: Content = ['[]', '[]', '[]', '[]'];

/**
 * Adds batches of usage sums to the monthly and daily tables. Each batch is added exactly once, even if the connection is lost
 * before its result arrives. The same statement checks and writes the batch number, in a row of `quota_writer` that only this
 * process writes.
 *
 * The batches of the last 10 s are remembered. A lower number in the row proves that a failover has lost the later ones. They are
 * then added again before any other.
 */
@Injectable()
export class UsageStore {
  private readonly logger = new Logger('stats');
  private writerId = randomUUID();
  private hasRow = false;
  /** The batch before this one is committed. */
  private number = 1;
  private readonly stored = new RecentEntries<StoredBatch>();
  private storedLength = 0;
  private lost: Content[] = [];
  private mustCheck = false;

  constructor(private readonly source: DataSource) {}

  /** Called after a lost connection. `isInDoubt` is then true until a batch is stored. */
  doubt(): void {
    this.mustCheck = true;
  }

  /** Whether `write` has to run even without rows, because the database can have lost batches. */
  get isInDoubt(): boolean {
    return this.lost.length > 0 || (this.mustCheck && !this.stored.isEmpty);
  }

  /** After a failure the outcome is unknown. Call it again with the same rows until it resolves. */
  async write(rows: readonly UsageRow[]): Promise<void> {
    const content = rows.length === 0 ? EMPTY : contentOf(rows);
    const mustCheck = this.mustCheck;
    this.mustCheck = false;
    try {
      while (this.lost.length > 0 || !(await this.isStored(content))) await this.storeLost();
    } catch (error) {
      this.mustCheck ||= mustCheck;
      throw error;
    }
  }

  /** A batch stays in the list until it is stored, because its outcome is unknown after a failure. */
  private async storeLost(): Promise<void> {
    const [next] = this.lost;
    if (next === undefined) return;
    try {
      if (await this.isStored(next)) this.lost.shift();
    } catch (error) {
      if (!areUnwritable(error)) throw error;
      this.lost.shift();
      this.logger.error(`Usage that the database has lost cannot be stored again: ${error.message}`);
    }
  }

  /** @returns false if the database has lost batches, which are in `lost` and must be stored before this one */
  private async isStored(content: Content): Promise<boolean> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      if (!this.hasRow) await this.insertWriter();
      const [result] = await this.source.query<{ held: number; was: string | null }[]>(ADD, [
        this.writerId,
        this.number,
        ...content,
      ]);
      const was = result?.was ?? null;
      const stored = was === null ? null : Number(was);
      if (result?.held === 1 || stored === this.number) {
        this.confirm(content);
        return true;
      }
      // number - 1: an earlier attempt committed while this one waited for the lock. The next attempt sees its result.
      if (stored !== this.number - 1 && this.takeLost(stored)) return false;
    }
    throw new Error('The usage batch was not stored');
  }

  private confirm(content: Content): void {
    const [length, atMs] = [lengthOf(content), performance.now()];
    if (this.storedLength + length > LENGTH_MAX) {
      this.stored.rotate(atMs);
      this.storedLength = 0;
    }
    this.storedLength += length;
    this.stored.add({ number: this.number, atMs, content });
    this.number += 1;
  }

  /**
   * @param stored null if the row was deleted after a week without use, or was lost. A new row replaces it
   * @returns whether `lost` has further batches
   */
  private takeLost(stored: number | null): boolean {
    const isBehind = stored !== null && stored < this.number;
    const lost = this.stored.takeLost(isBehind ? stored : 0, isBehind ? -Infinity : performance.now() - REMEMBERED_MS);
    if (isBehind) this.number = stored + 1;
    else this.forgetWriter();
    if (lost.length === 0) return false;
    this.lost.unshift(...lost.map(({ content }) => content));
    this.logger.warn(`The database has lost ${lost.length} batches of usage. They are stored again`);
    return true;
  }

  /** The JSON of a row, for records that cannot be stored. */
  textOf(row: UsageRow): string {
    const [usage, costs, unpriced] = [usageRowOf(row), costRowsOf(row), unpricedOf(row)];
    return `{"usage":${JSON.stringify(usage)},"costs":${JSON.stringify(costs)},"unpriced":[${unpriced.join()}]}`;
  }

  private async insertWriter(): Promise<void> {
    await this.source.query('insert into quota_writer (writer_id, batch) values ($1, 0) on conflict do nothing', [
      this.writerId,
    ]);
    this.hasRow = true;
  }

  private forgetWriter(): void {
    this.writerId = randomUUID();
    this.hasRow = false;
    this.number = 1;
  }
}

const contentOf = (rows: readonly UsageRow[]): Content => [
  JSON.stringify(rows.filter(isUsed).map(usageRowOf)),
  JSON.stringify(rows.flatMap(costRowsOf)),
  `[${rows.flatMap(unpricedOf).join()}]`,
  JSON.stringify(rows.flatMap(failuresOf)),
];

const lengthOf = (content: Content): number => content.reduce((sum, { length }) => sum + length, 0);

/** The largest PostgreSQL `bigint`. */
const NANOS_MAX = 2n ** 63n - 1n;

/** Other rows contain only failures. */
const isUsed = ({ requests }: UsageRow): boolean => requests > 0;

const failuresOf = ({ keyId, day, failures }: UsageRow): object[] =>
  [...failures].map(([code, counts]) => ({ day: dateOf(day), key_id: keyId, code, ...counts }));

const usageRowOf = (row: UsageRow): object => ({
  key_id: row.keyId,
  day: dateOf(row.day),
  month: row.month,
  model: row.model,
  requests: row.requests,
  errors: row.errors,
  input_tokens: row.inputTokens,
  output_tokens: row.outputTokens,
  estimated_tokens: row.estimatedTokens,
  additional_tokens: row.additionalTokens,
});

const costRowsOf = ({ keyId, day, model, costs }: UsageRow): object[] =>
  costs.all().map(({ endpoint, provider, units, ...sums }) => ({
    day: dateOf(day),
    key_id: keyId,
    model,
    endpoint,
    provider,
    requests: sums.requests,
    unpriced_requests: sums.unpricedRequests,
    estimated_requests: sums.estimatedRequests,
    // A JSON number above 2^53 would be rounded.
    cost_nanos: String(sums.nanos > NANOS_MAX ? NANOS_MAX : sums.nanos),
    ...Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, units.get(kind) ?? 0])),
  }));

/** The JSON of a row for each part. The items are JSON already. */
const unpricedOf = ({ keyId, day, model, costs }: UsageRow): string[] =>
  costs.unpriced().map(({ endpoint, provider, models, unpricedModel, baseUrl, objectId, part }) => {
    const row = {
      day: dateOf(day),
      key_id: keyId,
      model,
      answered_model: unpricedModel,
      models,
      endpoint,
      provider,
      base_url: baseUrl,
      first_at: new Date(part.firstAtMs).toISOString(),
      last_at: new Date(part.lastAtMs).toISOString(),
      requests: part.requests,
      units: part.units,
      object_id: objectId,
    };
    return `${JSON.stringify(row).slice(0, -1)},"items":${part.items}}`;
  });
