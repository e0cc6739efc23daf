import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../../platform/database/sql-file.js';
import type { Transaction } from '../../../platform/database/transactions.js';

const REPORT = sqlFile(import.meta.url, './report-incidents.sql');
const WORST = `
  select status, began_at, last_error ->> 'message' as message
    from upstream_incidents
   where upstream = $1 and seen_at > clock_timestamp() - make_interval(secs => $2)
   order by status = 'refused' desc limit 1`;

/** An incident that no process has reported for this long has ended. */
const ENDS_AFTER_SECONDS = 40;

/** Why an upstream does not serve requests. `failing` includes upstreams that cannot be reached. */
export type IncidentStatus = 'refused' | 'failing';

interface StoredError {
  readonly at: string;
  readonly status: number | null;
  readonly model: string | null;
  readonly message: string;
}

export interface ReportedIncident {
  readonly upstream: string;
  readonly status: IncidentStatus;
  readonly lastError: StoredError | null;
}

export interface IncidentChanges {
  readonly began: readonly ReportedIncident[];
  /** Upstreams without any incident left. `beganAt` is in ISO 8601. */
  readonly recovered: readonly { readonly upstream: string; readonly beganAt: string }[];
  readonly isAnyOpen: boolean;
}

export interface OpenIncident {
  readonly status: IncidentStatus;
  readonly beganAt: Date;
  readonly message: string | null;
}

/** The incidents of upstreams that all processes share, so that each is announced once. */
@Injectable()
export class IncidentStore {
  constructor(private readonly source: DataSource) {}

  /** Records what this process sees. An incident that begins is returned to only one process, and so is its end. */
  async report(transaction: Transaction, seen: readonly ReportedIncident[]): Promise<IncidentChanges> {
    const given = seen.map(({ upstream, status, lastError }) => ({ upstream, status, last_error: lastError }));
    const [row] = await transaction.query<
      [Pick<IncidentChanges, 'began' | 'recovered'> & { readonly is_any_open: boolean }]
    >(REPORT, [JSON.stringify(given), ENDS_AFTER_SECONDS]);
    return { began: row.began, recovered: row.recovered, isAnyOpen: row.is_any_open };
  }

  /** The worst open incident of an upstream, from any process. Null without one. */
  async of(upstream: string): Promise<OpenIncident | null> {
    const [row] = await this.source.query<
      { readonly status: IncidentStatus; readonly began_at: Date; readonly message: string | null }[]
    >(WORST, [upstream, ENDS_AFTER_SECONDS]);
    return row === undefined ? null : { status: row.status, beganAt: row.began_at, message: row.message };
  }
}
