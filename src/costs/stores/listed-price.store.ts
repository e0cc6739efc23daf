import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PublishedEdition, RecordedModel, RecordedVersion } from '../pricing/published-models.js';

/** All conditions must hold. Null means no condition. */
export interface ListedPriceFilter {
  readonly version: string;
  readonly provider: string | null;
  readonly model: string | null;
}

/** Published prices of this and earlier releases. Rows are only added. */
@Injectable()
export class ListedPriceStore {
  constructor(private readonly source: DataSource) {}

  async has(edition: string): Promise<boolean> {
    const rows = await this.source.query<object[]>('select from price_lists where edition = $1', [edition]);
    return rows.length > 0;
  }

  /** Adds the prices of an edition that are not recorded yet. Several processes can do it at the same time. */
  async add({ edition, version, date, models }: PublishedEdition): Promise<void> {
    await this.source.query(ADD, [edition, version, date, JSON.stringify(models)]);
  }

  /** The newest first. */
  versions(): Promise<RecordedVersion[]> {
    return this.source.query<RecordedVersion[]>(VERSIONS);
  }

  async page(
    { version, provider, model }: ListedPriceFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly models: RecordedModel[] }> {
    const rows = await this.source.query<(RecordedModel & { readonly total: number })[]>(PAGE, [
      version,
      provider,
      model,
      limit,
      offset,
    ]);
    return { total: rows[0]?.total ?? 0, models: rows.filter(({ provider: found }) => found !== null) };
  }
}

const ADD = `
with edition as (
  insert into price_lists (edition, version, published_on) values ($1, $2, $3) on conflict do nothing returning version
)
insert into listed_prices (version, provider, model, terms)
select version, provider, model, terms
  from edition, jsonb_to_recordset($4::jsonb) as p(provider text, model text, terms jsonb)
 order by provider, model
on conflict do nothing`;

const VERSIONS = `
select version, min(published_on)::text as date, min(recorded_at) as "recordedAt"
  from price_lists group by version order by min(published_on) desc, min(recorded_at) desc`;

// One row at least, so that an empty page has the total too.
const PAGE = `
with matching as (
  select * from listed_prices
   where version = $1 and ($2::text is null or provider = $2) and ($3::text is null or model = $3)
)
select (select count(*)::int from matching) as total, p.*
  from (select) one
  left join (
    select provider, model, terms, recorded_at as "recordedAt" from matching
     order by provider, model, recorded_at desc limit $4 offset $5) p on true
 order by p.provider, p.model, p."recordedAt" desc`;
