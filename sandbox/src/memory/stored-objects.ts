import type { JsonObject } from '../wire/json-object.js';
import { objectNotFound } from '../wire/vendor-error.js';
import { Collection } from './collection.js';
import { STORED_KINDS, type StoredKind, type StoredObject } from './stored-object.js';

const ENTRY_BYTES = 1_000;

interface NewObject {
  readonly kind: StoredKind;
  readonly parent?: string;
  readonly bytes?: Buffer;
}

/** The objects of all families without a type of their own, in one bounded collection per kind. */
export class StoredObjects {
  private readonly kinds = new Map<StoredKind, Collection<StoredObject>>();

  /**
   * @param make gets a new ID and the creation time in Unix seconds. It returns the other fields. An `id` among them
   *   replaces the new ID.
   */
  create({ kind, parent = '', bytes }: NewObject, make: (id: string, createdAt: number) => JsonObject): StoredObject {
    return this.of(kind).create((bytes?.length ?? 0) + ENTRY_BYTES, (id, createdAt) => {
      const made = make(id, createdAt);
      const ownId = typeof made.id === 'string' ? made.id : id;

      return { id: ownId, parent, object: { ...made, id: ownId }, ...(bytes === undefined ? {} : { bytes }) };
    });
  }

  put(kind: StoredKind, stored: StoredObject): StoredObject {
    return this.of(kind).put(stored, JSON.stringify(stored.object).length + (stored.bytes?.length ?? 0));
  }

  change(kind: StoredKind, stored: StoredObject, fields: JsonObject): StoredObject {
    return this.put(kind, { ...stored, object: { ...stored.object, ...fields } });
  }

  /**
   * @param parent ID of the required parent; empty for any parent
   * @throws VendorError 404 if the object does not exist
   */
  get(kind: StoredKind, id: string, parent = ''): StoredObject {
    const stored = this.of(kind).get(id);

    if (stored === undefined || (parent !== '' && stored.parent !== parent)) throw objectNotFound(kind, id);
    return stored;
  }

  delete(kind: StoredKind, id: string): void {
    this.of(kind).delete(id);
  }

  all(kind: StoredKind, parent = ''): StoredObject[] {
    return this.of(kind)
      .all()
      .filter((stored) => stored.parent === parent);
  }

  private of(kind: StoredKind): Collection<StoredObject> {
    const existing = this.kinds.get(kind);

    if (existing !== undefined) return existing;

    const created = new Collection<StoredObject>(STORED_KINDS[kind]);

    this.kinds.set(kind, created);
    return created;
  }
}
