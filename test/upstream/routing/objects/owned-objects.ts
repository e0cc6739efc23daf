import { DataSource } from 'typeorm';
import { ObjectOwners } from '../../../../src/upstream/routing/objects/object-owners.service.js';
import { ObjectOwnerStore, type OwnedObject } from '../../../../src/upstream/routing/stores/object-owner.store.js';

/** Counts its statements. */
export class CountingStore extends ObjectOwnerStore {
  readonly reads: string[][] = [];
  readonly writes: string[][] = [];

  override read(ids: readonly string[]) {
    this.reads.push([...ids]);
    return super.read(ids);
  }

  override write(rows: readonly OwnedObject[]) {
    this.writes.push(rows.map(({ id }) => id));
    return super.write(rows);
  }
}

/** The owners in one process. */
export class OwnersProcess {
  readonly store: CountingStore;
  readonly owners: ObjectOwners;

  constructor(readonly source: DataSource) {
    this.store = new CountingStore(source);
    this.owners = new ObjectOwners(this.store);
  }
}

export interface ObjectRow {
  readonly id: string;
  readonly upstream: string;
  readonly expires: boolean;
  readonly unused_hours: number;
}

export const rowsOf = (source: DataSource, prefix: string): Promise<ObjectRow[]> =>
  source.query<ObjectRow[]>(
    `select id, upstream, expires, round(extract(epoch from now() - used_at) / 3600)::int unused_hours
       from upstream_objects where starts_with(id, $1) order by id`,
    [prefix],
  );
