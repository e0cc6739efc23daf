import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../platform/database/transactions.js';
import type { ProbeVerdict } from '../availability.rules.js';

export interface StoredVerdict {
  readonly verdict: ProbeVerdict;
  readonly probedAt: Date;
}

@Injectable()
export class ProbeStore {
  constructor(private readonly source: DataSource) {}

  async all(): Promise<Map<string, StoredVerdict>> {
    const rows = await this.source.query<Row[]>('select model, verdict, probed_at from model_probes');
    return verdictsOf(rows);
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

const verdictsOf = (rows: readonly Row[]) =>
  new Map(rows.map(({ model, verdict, probed_at: probedAt }) => [model, { verdict, probedAt }]));

const PUT = `
  insert into model_probes (model, verdict, probed_at)
  select model, verdict, clock_timestamp() from unnest($1::text[], $2::text[]) as probed (model, verdict)
  on conflict (model) do update set verdict = excluded.verdict, probed_at = excluded.probed_at`;
