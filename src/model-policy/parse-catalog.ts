import { isObject } from '../validation/check.js';

/** One row of the upstream's list: the standard fields, nothing else of it. */
export interface CatalogModel {
  readonly id: string;
  readonly object: string;
  /** Unix seconds; 0 where the upstream does not say. */
  readonly created: number;
  readonly owned_by: string;
}

export const MODELS_MAX = 10_000;
const TEXT_LENGTH_MAX = 200;

/** One answer to `GET /v1/models`: all of the list, or a page of it. */
interface CatalogPage {
  readonly models: CatalogModel[];
  /** The list goes on behind this id; null: it does not. */
  readonly after: string | null;
}

/**
 * Reads the upstream's answer to `GET /v1/models`: rows without a usable id are left out, of equal ids the first stands,
 * standard fields that are missing or of another type get a neutral value.
 * @throws Error where it is no list, names no model, or too many
 */
export function parseCatalog(body: Buffer): CatalogPage {
  const answer = parsed(body);
  const rows = isObject(answer) ? answer['data'] : null;
  if (!isObject(answer) || !Array.isArray(rows)) throw new Error('the answer is not {"data": […]}');
  if (rows.length > MODELS_MAX) throw new Error(`the list has more than ${MODELS_MAX} entries`);
  const models = catalogRows(rows);
  if (models.length === 0) throw new Error('the list is empty');
  const after = answer['has_more'] === true ? answer['last_id'] : null;
  return { models, after: isText(after) ? after : null };
}

/** The usable rows among `rows`, in their order. */
export function catalogRows(rows: readonly unknown[]): CatalogModel[] {
  const models = new Map<string, CatalogModel>();
  for (const row of rows) {
    if (!isObject(row) || !isText(row['id']) || models.has(row['id'])) continue;
    const { id, object, created, owned_by: ownedBy } = row;
    models.set(id, {
      id,
      object: isText(object) ? object : 'model',
      created: secondsOf(created),
      // Some providers leave it out and begin the id with it.
      owned_by: isText(ownedBy) ? ownedBy : id.includes('/') ? id.slice(0, id.indexOf('/')) : 'system',
    });
  }
  return [...models.values()];
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // The parser's own message quotes the answer, which is not ours to log.
    throw new Error('the answer is not JSON');
  }
}

// Neither control characters nor half a surrogate pair: the database would refuse the whole list for one such id.
function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= TEXT_LENGTH_MAX &&
    !/\p{Cc}/u.test(value) &&
    value.isWellFormed()
  );
}

/** Unix seconds; 0 for what is none. */
function secondsOf(created: unknown): number {
  const seconds = typeof created === 'number' ? Math.trunc(created) : 0;
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 0;
}
