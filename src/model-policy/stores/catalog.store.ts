import { Injectable } from '@nestjs/common';
import { DataSource, Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { CatalogModel } from '../parse-catalog.js';

/** A stored copy. `fetchedAt` is a timestamp of the database as text. Only the database compares it. */
export interface StoredCopy {
  readonly models: readonly CatalogModel[];
  readonly fetchedAt: string;
  readonly ageMs: number;
}

/** The single account has its own table, because earlier releases read it too. */
const SINGLE = 'default';

/** Reads and writes the model lists that all processes share. */
@Injectable()
export class CatalogStore {
  constructor(private readonly source: DataSource) {}

  /** Returns the stored copy if it is newer than `than`, otherwise null. @param than null accepts any copy */
  async newer(upstream: string, than: string | null): Promise<StoredCopy | null> {
    const [row] = await this.source.query<{ body: CatalogModel[]; fetched_at: string; age_ms: number }[]>(
      upstream === SINGLE ? NEWER : NEWER_OF_UPSTREAM,
      upstream === SINGLE ? [than] : [than, upstream],
    );
    return row === undefined ? null : { models: row.body, fetchedAt: row.fetched_at, ageMs: row.age_ms };
  }

  /** Stores a copy and returns its time; null if the database has a newer copy. @param ageMs age of the list in milliseconds */
  async save(upstream: string, models: readonly CatalogModel[], ageMs: number): Promise<string | null> {
    const values = [JSON.stringify(models), ageMs];
    const [row] = await this.source.query<{ fetched_at: string }[]>(
      upstream === SINGLE ? SAVE : SAVE_OF_UPSTREAM,
      upstream === SINGLE ? values : [...values, upstream],
    );
    return row?.fetched_at ?? null;
  }
}

const NEWER = `
  select body, fetched_at::text, (extract(epoch from clock_timestamp() - fetched_at) * 1000)::float8 as age_ms
    from model_catalog
   where $1::timestamptz is null or fetched_at > $1::timestamptz`;

const SAVE = `
  insert into model_catalog (id, body, fetched_at)
  values (1, $1::jsonb, clock_timestamp() - make_interval(secs => $2::float8 / 1000))
  on conflict (id) do update set body = excluded.body, fetched_at = excluded.fetched_at
   where model_catalog.fetched_at < excluded.fetched_at
  returning fetched_at::text`;

const NEWER_OF_UPSTREAM = `
  select body, fetched_at::text, (extract(epoch from clock_timestamp() - fetched_at) * 1000)::float8 as age_ms
    from upstream_catalogs
   where upstream = $2 and ($1::timestamptz is null or fetched_at > $1::timestamptz)`;

const SAVE_OF_UPSTREAM = `
  insert into upstream_catalogs (upstream, body, fetched_at)
  values ($3, $1::jsonb, clock_timestamp() - make_interval(secs => $2::float8 / 1000))
  on conflict (upstream) do update set body = excluded.body, fetched_at = excluded.fetched_at
   where upstream_catalogs.fetched_at < excluded.fetched_at
  returning fetched_at::text`;

@Entity('model_catalog')
@Check('model_catalog_one_row', 'id = 1')
export class StoredCatalog {
  @PrimaryColumn({ type: 'smallint', default: 1, primaryKeyConstraintName: 'model_catalog_pkey' })
  id: number;

  @Column({ type: 'jsonb' })
  body: CatalogModel[];

  /** The time at which the list was requested from the upstream, by the database's clock. */
  @Column({ name: 'fetched_at', type: 'timestamp with time zone', precision: 3 })
  fetchedAt: Date;
}
