import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ActiveLimit } from '../limit.js';
import { termsOf, type LimitRow } from './limit-row.js';

const PAGE_ROWS = 5000;
/** Deleted limits keep their row for weeks. A process that was disconnected for longer than this reads all limits again. */
const INCREMENT_MAX_MICROSECONDS = 86_400_000_000;

export interface LimitSetChanges {
  readonly version: number;
  /** Whether `changed` contains all limits, and not only those that changed. */
  readonly complete: boolean;
  readonly changed: readonly ActiveLimit[];
  /** The number of limits that are enabled and have not ended. */
  readonly total: number;
  /** Deleted, disabled or ended. */
  readonly removed: readonly number[];
  /** Tags of all teams that have any, by team ID. */
  readonly teamTags: ReadonlyMap<string, readonly string[]>;
}

interface SetRow extends Omit<LimitRow, 'enabled' | 'thresholds' | 'carry_over' | 'updated_at'> {
  readonly version: string;
  readonly present: boolean;
}

/** Reads the part of the limits that each process keeps in memory. */
@Injectable()
export class LimitSetStore {
  constructor(private readonly source: DataSource) {}

  /**
   * Reads the limits that changed after a version. Changes that are committed during the reads have a higher version, so the
   * next call returns them.
   * @param known the version; -1 reads all limits
   * @returns null if nothing has changed
   */
  async changesSince(known: number): Promise<LimitSetChanges | null> {
    const [state] = await this.source.query<{ version: string; total: number | null }[]>(STATE, [known]);
    const version = Number(state!.version);
    if (version === known) return null;
    // A restored backup can have a lower version.
    const complete = known < 0 || version < known || version - known > INCREMENT_MAX_MICROSECONDS;
    const changed: ActiveLimit[] = [];
    const removed: number[] = [];
    for (let after = { version: complete ? -1 : known, id: complete ? 0 : MAX_ID }; ;) {
      const rows = await this.source.query<SetRow[]>(CHANGED, [after.version, after.id, version, PAGE_ROWS]);
      for (const row of rows) {
        if (row.present) changed.push(activeLimitOf(row));
        else removed.push(Number(row.id));
      }
      const last = rows.at(-1);
      if (rows.length < PAGE_ROWS || last === undefined) break;
      after = { version: Number(last.version), id: Number(last.id) };
    }
    return { version, complete, changed, removed, total: state!.total ?? 0, teamTags: await this.teamTags() };
  }

  /** Read after the version, so that they are never older than it. */
  private async teamTags(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.source.query<{ id: string; tags: string[] }[]>(
      `select id, tags from teams where tags <> '{}'`,
    );
    return new Map(rows.map(({ id, tags }) => [id, tags]));
  }
}

/** Higher than all IDs, so that the first page begins after the version. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

const PRESENT = 'deleted_at is null and enabled and (ends_at is null or ends_at > clock_timestamp())';

const STATE = `
select version, case when version <> $1 then (select count(*)::integer from limits where ${PRESENT}) end as total from limit_set`;

const CHANGED = `
select id, version, name, scope, scope_id, scope_tag, measure, weights, period, zone, amount, models, mode, reserve, starts_at, ends_at, created_at,
       ${PRESENT} as present
  from limits
 where (version, id) > ($1::bigint, $2::bigint) and version <= $3
 order by version, id
 limit $4`;

const activeLimitOf = (row: SetRow): ActiveLimit => ({
  ...termsOf(row),
  models: row.models?.map((pattern) => pattern.toLowerCase()) ?? null,
  startsAtMs: row.starts_at?.getTime() ?? null,
  endsAtMs: row.ends_at?.getTime() ?? null,
  createdAtMs: row.created_at.getTime(),
  version: Number(row.version),
});
