import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface OwnedObject {
  readonly id: string;
  /** The name of the upstream that created it. */
  readonly upstream: string;
  /** The row is deleted after 90 days without use. */
  readonly expires: boolean;
}

export interface StoredObject extends OwnedObject {
  /** Time since the last recorded use, by the database's clock. */
  readonly unusedMs: number;
}

/** The upstreams that created the providers' stored objects. */
@Injectable()
export class ObjectOwnerStore {
  constructor(private readonly source: DataSource) {}

  /** Returns the stored owners by object ID. */
  async read(ids: readonly string[]): Promise<Map<string, StoredObject>> {
    const rows = await this.source.query<StoredObject[]>(READ, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Stores the owners, and marks objects that are already stored as used. A stored owner does not change.
   * @returns the given objects that have a different stored owner
   */
  write(rows: readonly OwnedObject[]): Promise<Pick<OwnedObject, 'id' | 'upstream'>[]> {
    return this.source.query(WRITE, [
      rows.map(({ id }) => id),
      rows.map(({ upstream }) => upstream),
      rows.map(({ expires }) => expires),
    ]);
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.source.query('delete from upstream_objects where id = any($1::text[])', [ids]);
  }
}

const READ = `
  select id, upstream, expires, (extract(epoch from clock_timestamp() - used_at) * 1000)::float8 as "unusedMs"
    from upstream_objects
   where id = any($1::text[])`;

// All processes lock rows in the same order. The last part reads the rows as they were before the insert.
const WRITE = `
  with given as materialized (
    select id, upstream, expires from unnest($1::text[], $2::text[], $3::boolean[]) as t (id, upstream, expires)
  ), stored as (
    insert into upstream_objects (id, upstream, expires)
    select id, upstream, expires from given order by id collate "C"
    on conflict (id) do update
       set used_at = clock_timestamp()
     where upstream_objects.used_at < clock_timestamp() - interval '1 hour'
  )
  select o.id, o.upstream
    from upstream_objects o join given on given.id = o.id
   where o.upstream <> given.upstream`;
