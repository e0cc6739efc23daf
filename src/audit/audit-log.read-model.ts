import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { COUNTED_MAX, type Page } from '../platform/database/page.js';
import type { AuditAction } from './audit-action.data.js';
import { isoTimestamp } from '../platform/validation/timestamp.js';

/** A null condition matches any value. All conditions must match. */
export interface AuditQuery extends Page {
  readonly targetId: string | null;
  readonly action: AuditAction | null;
  readonly actorType: AdminActor['type'] | null;
  /** `X-Request-Id` of the response to the change. */
  readonly requestId: string | null;
  /** Milliseconds since 1970. Both bounds are inclusive, to the end of the millisecond. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

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
  /** The number of matching rows. Anything above `COUNTED_MAX` means more than `COUNTED_MAX`. */
  readonly found: number;
  readonly logs: readonly AuditRecord[];
}

@Injectable()
export class AuditLogReadModel {
  constructor(private readonly source: DataSource) {}

  async list(query: AuditQuery): Promise<AuditPage> {
    const { targetId, action, actorType, requestId, sinceMs, untilMs, limit, offset } = query;
    const times = [isoTimestamp(sinceMs), isoTimestamp(untilMs)];
    const rows = await this.source.query<ListedRow[]>(LIST, [
      targetId,
      action,
      actorType,
      ...times,
      limit,
      offset,
      requestId,
    ]);
    return { found: rows[0]?.found ?? 0, logs: rows.filter(isRecord) };
  }
}

/** An empty page has one row, which contains only `found`. */
type ListedRow = (AuditRecord | { readonly id: null }) & { readonly found: number };
const isRecord = (row: ListedRow): row is AuditRecord & ListedRow => row.id !== null;

/** PostgreSQL plans the statement with its values, so a null filter costs nothing and the others use their index. */
const MATCHES = `($1::text is null or target_id = $1) and ($2::text is null or action = $2) and ($3::text is null or actor_type = $3)
   and ($8::text is null or metadata ->> 'request_id' = $8)
   and ($4::timestamptz is null or created_at >= $4)
   and ($5::timestamptz is null or created_at < $5::timestamptz + interval '1 millisecond')`;

// With every filter except the request ID, count and page use index-only scans. Rows before the offset are not read.
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
