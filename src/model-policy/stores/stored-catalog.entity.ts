import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { CatalogModel } from '../parse-catalog.js';

/** The last good copy of the upstream's list: one row. */
@Entity('model_catalog')
@Check('model_catalog_one_row', 'id = 1')
export class StoredCatalog {
  @PrimaryColumn({ type: 'smallint', default: 1, primaryKeyConstraintName: 'model_catalog_pkey' })
  id: number;

  @Column({ type: 'jsonb' })
  body: CatalogModel[];

  /** When the upstream was asked, by the database's clock. */
  @Column({ name: 'fetched_at', type: 'timestamp with time zone', precision: 3 })
  fetchedAt: Date;
}
