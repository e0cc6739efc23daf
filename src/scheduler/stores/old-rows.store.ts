import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const COUNTED_MAX = 100_000;

/** Rows below a value of one column. Names are constants of the program (`retention.data.ts`), never input. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  readonly keptFrom: string | number;
  /** A further condition; `true`: none. */
  readonly also: string;
}

/** Takes away rows that are too old, some at a time, the oldest first. */
@Injectable()
export class OldRowsStore {
  constructor(private readonly source: DataSource) {}

  /** Holds the locks of `count` rows for as long as their deletion takes. @returns how many were deleted */
  async delete({ table, column, keptFrom, also }: OldRows, count: number): Promise<number> {
    // By place and not by key: no join, whatever the planner believes. One that has been changed meanwhile stays.
    const [row] = await this.source.query<{ deleted: number }[]>(
      `with gone as (
         delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${column} < $1 and ${also} order by ${column} limit $2)) returning 1)
       select count(*)::int as deleted from gone`,
      [keptFrom, count],
    );
    return row?.deleted ?? 0;
  }

  /** How many there are, up to 100,000. */
  async count({ table, column, keptFrom, also }: OldRows): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(
      `select count(*)::int as count from (select from ${table} where ${column} < $1 and ${also} limit $2) old`,
      [keptFrom, COUNTED_MAX],
    );
    return row?.count ?? 0;
  }
}
