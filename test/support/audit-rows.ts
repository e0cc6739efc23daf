import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { AuditAction } from '../../src/audit/audit-action.data.js';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import { ensureMonthPartitions } from '../../src/platform/database/month-partitions.js';

export interface WrittenAudit {
  readonly id: string;
  /** An ISO timestamp, which can contain microseconds. */
  readonly createdAt: string;
  readonly action: AuditAction;
  readonly actorType: AdminActor['type'];
  readonly targetType: string;
  readonly targetId: string | null;
}

export const auditRow = (createdAt: string, given: Partial<WrittenAudit> = {}): WrittenAudit => ({
  id: randomUUID(),
  createdAt,
  action: 'api_key.updated',
  actorType: 'admin_key',
  targetType: 'api_key',
  targetId: null,
  ...given,
});

export async function writeAudit(source: DataSource, rows: readonly WrittenAudit[]): Promise<void> {
  for (const month of new Set(rows.map(({ createdAt }) => createdAt.slice(0, 7))))
    await ensureMonthPartitions((sql) => source.query(sql), 'audit_logs', new Date(`${month}-01T00:00:00Z`), 1);
  await source.query(
    `insert into audit_logs (id, created_at, action, actor_type, target_type, target_id, metadata)
     select *, '{"actor_id": null}'::jsonb from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    [
      rows.map(({ id }) => id),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ action }) => action),
      rows.map(({ actorType }) => actorType),
      rows.map(({ targetType }) => targetType),
      rows.map(({ targetId }) => targetId),
    ],
  );
}

/** Writes `count` rows one millisecond apart, the last at `lastMs`, in one statement. */
export async function writeManyAudit(
  source: DataSource,
  targetId: string,
  lastMs: number,
  count: number,
): Promise<void> {
  await ensureMonthPartitions((sql) => source.query(sql), 'audit_logs', new Date(lastMs - count), 2);
  await source.query(
    `insert into audit_logs (created_at, action, actor_type, target_type, target_id, metadata)
     select $1::timestamptz - make_interval(secs => n * 0.001), 'api_key.updated', 'system', 'api_key', $2, '{}'
       from generate_series(0, $3::int - 1) n`,
    [new Date(lastMs).toISOString(), targetId, count],
  );
}
