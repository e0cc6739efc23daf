import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  cachedRows,
  withFingerprint,
  type CachedRows,
  type FingerprintedRow,
} from '../../platform/changes/change-polls.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { ProbeVerdict } from '../availability.rules.js';

export interface StoredVerdict {
  readonly verdict: ProbeVerdict;
  readonly probedAt: Date;
}

/** Reads and writes `model_probes`, with one verdict per model. */
@Injectable()
export class ProbeStore {
  constructor(private readonly source: DataSource) {}

  async all(): Promise<CachedRows<StoredVerdict>> {
    return cachedRows(await this.source.query<(Row & FingerprintedRow)[]>(ALL), entryOf);
  }

  /** Returns the verdicts of these models, and locks out all other writers until the transaction ends. */
  async lock(transaction: Transaction, models: readonly string[]): Promise<Map<string, StoredVerdict>> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('model-probes', 0))`);
    const rows = await transaction.query<Row[]>(
      'select model, verdict, probed_at from model_probes where model = any($1::text[])',
      [models],
    );
    return verdictsOf(rows);
  }

  async put(transaction: Transaction, verdicts: ReadonlyMap<string, ProbeVerdict>): Promise<void> {
    await transaction.query(PUT, [[...verdicts.keys()], [...verdicts.values()]]);
  }
}

interface Row {
  readonly model: string;
  readonly verdict: ProbeVerdict;
  readonly probed_at: Date;
}

const entryOf = ({ model, verdict, probed_at: probedAt }: Row) => [model, { verdict, probedAt }] as const;
const verdictsOf = (rows: readonly Row[]): Map<string, StoredVerdict> => new Map(rows.map(entryOf));

const ALL = withFingerprint('model_probes', 'model, verdict, probed_at');

const PUT = `
  insert into model_probes (model, verdict, probed_at)
  select model, verdict, clock_timestamp() from unnest($1::text[], $2::text[]) as probed (model, verdict)
  on conflict (model) do update set verdict = excluded.verdict, probed_at = excluded.probed_at`;
