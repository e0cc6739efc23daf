import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Takes refusals away when they have been kept for 7 days (D15). */
@Injectable()
export class OldRefusalsStore {
  constructor(private readonly source: DataSource) {}

  /** `count` at most; those that another process is deleting are left to it. @returns how many */
  async delete(count: number): Promise<number> {
    const [answer] = await this.source.query<{ deleted: number }[]>(DELETE, [count]);
    return answer?.deleted ?? 0;
  }
}

const DELETE = `
with old as materialized (
  select created_at, id from request_refusals where created_at < now() - interval '7 days'
   order by created_at, id limit $1 for update skip locked
), gone as (
  delete from request_refusals r using old where r.created_at = old.created_at and r.id = old.id returning 1
)
select count(*)::int as deleted from gone`;
