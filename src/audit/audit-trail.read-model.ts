import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AdminActor } from '../request-context/caller-session.js';
import { COUNTED_MAX } from '../database/month-partitions.js';
import type { AuditAction } from './audit-action.data.js';

/** All of them hold; null: any. */
export interface AuditFilter {
  readonly targetId: string | null;
  readonly action: AuditAction | null;
  readonly actorType: AdminActor['type'] | null;
  /** Milliseconds since 1970, both included: the whole of the millisecond. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

/** One row of the audit log. */
export interface AuditRecord {
  readonly id: string;
  readonly action: string;
  readonly actorType: AdminActor['type'];
  readonly targetType: string;
  readonly targetId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface AuditPage {
  /** All matching rows; a number above `COUNTED_MAX` means any number above it. */
  readonly found: number;
  /** The newest first. */
  readonly logs: readonly AuditRecord[];
}

/** Lists the audit log (D17, D18). */
@Injectable()
export class AuditTrail {
  constructor(private readonly source: DataSource) {}

  async list(filter: AuditFilter, { limit, offset }: { limit: number; offset: number }): Promise<AuditPage> {
    const rows = await this.source.query<ListedRow[]>(LIST, [...valuesOf(filter), limit, offset]);
    return { found: rows[0]?.found ?? 0, logs: rows.filter(isRecord) };
  }
}

/** An empty page is also one row, with `found`. */
type ListedRow = (AuditRecord | { readonly id: null }) & { readonly found: number };
const isRecord = (row: ListedRow): row is AuditRecord & ListedRow => row.id !== null;

const valuesOf = ({ targetId, action, actorType, sinceMs, untilMs }: AuditFilter): unknown[] => [
  targetId,
  action,
  actorType,
  isoOf(sinceMs),
  isoOf(untilMs),
];
const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * The values are known when the statement is planned, so what is null costs nothing and the rest finds its index.
 * Times of rows have microseconds; filters have milliseconds.
 */
const MATCHES = `($1::text is null or target_id = $1) and ($2::text is null or action = $2) and ($3::text is null or actor_type = $3)
   and ($4::timestamptz is null or created_at >= $4)
   and ($5::timestamptz is null or created_at < $5::timestamptz + interval '1 millisecond')`;

// Count and page use index-only scans with every filter: rows before the offset are not read.
const LIST = `
with counted as (
  select count(*)::int as found from (select from audit_logs where ${MATCHES} limit ${COUNTED_MAX + 1}) matching
), page as materialized (
  select created_at, id from audit_logs where ${MATCHES} order by created_at desc, id desc limit $6 offset $7
)
select counted.found, r.id, r.action, r.actor_type as "actorType", r.target_type as "targetType", r.target_id as "targetId",
       r.metadata, r.created_at as "createdAt"
  from counted left join (page join audit_logs r using (created_at, id)) on true
 order by r.created_at desc, r.id desc`;
