import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../platform/database/page.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { PublishedEdition, RecordedModel, RecordedVersion } from '../pricing/published-prices.js';

const ADD = sqlFile(import.meta.url, './add-listed-prices.sql');
const VERSIONS = sqlFile(import.meta.url, './price-list-versions.sql');
const PAGE = sqlFile(import.meta.url, './listed-prices-page.sql');

/** All conditions must hold. Null if the condition does not apply. */
export interface ListedPriceFilter {
  readonly version: string;
  readonly provider: string | null;
  readonly model: string | null;
}

/** Published prices of this and earlier releases. `PriceListRecord` adds the prices of this release at startup. Rows never change. */
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
    { limit, offset }: Page,
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
