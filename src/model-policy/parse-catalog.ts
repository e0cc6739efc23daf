import { isObject, type JsonObject } from '../validation/check.js';

/** One row of the upstream's list: its standard fields. */
export interface CatalogModel {
  readonly id: string;
  readonly object: string;
  /** Unix seconds; 0 if the upstream does not say. */
  readonly created: number;
  readonly owned_by: string;
  /** As Anthropic's list names a model for people. */
  readonly display_name?: string;
  /** ISO 8601, as Anthropic's list has it. */
  readonly created_at?: string;
}

export const MODELS_MAX = 10_000;
const TEXT_LENGTH_MAX = 200;
const TOKEN_LENGTH_MAX = 4_096;

/** One response to `GET /v1/models`: the whole list, or a page of it. */
interface CatalogPage {
  readonly models: CatalogModel[];
  /** The query that asks for the next page; null: this page is the last. */
  readonly next: string | null;
}

/**
 * Reads the upstream's response to `GET /v1/models`. The list is `data`, `models` or the response itself. Rows without a
 * usable ID are left out, and the first of equal IDs counts. A standard field that is missing or of another type gets a
 * neutral value.
 * @throws Error if the response is not a list, names no model, or names too many
 */
export function parseCatalog(body: Buffer): CatalogPage {
  const answer = parsed(body);
  const page = isObject(answer) ? answer : {};
  const data = listOf(page['data']);
  const rows = data ?? listOf(page['models']) ?? listOf(answer);
  if (rows === null) throw new Error('the answer is not a list, {"data": […]} or {"models": […]}');
  if (rows.length > MODELS_MAX) throw new Error(`the list has more than ${MODELS_MAX} entries`);
  const models = catalogRows(data === null ? rows.map(namedById) : rows);
  if (models.length === 0) throw new Error('the list is empty');
  return { models, next: nextQuery(page) };
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

/** Lists in other forms than OpenAI's can call the ID `name`, as Google's and Cohere's do. */
const namedById = (row: unknown): unknown => (isObject(row) && !isText(row['id']) ? { ...row, id: row['name'] } : row);

/**
 * Members that hold the token of the next page, and the query parameters that take it. Google and Cohere use the first two.
 * APIs with `next_page` differ in the parameter, so the token is sent under each name.
 */
const PAGE_TOKENS = [
  ['nextPageToken', ['pageToken']],
  ['next_page_token', ['page_token']],
  ['next_page', ['page', 'page_token', 'pageToken']],
] as const;

/**
 * The query that asks for the next page. Links (`next`, or a `next_page` that is a link) are ignored: the account's credential
 * is sent to the configured address only.
 */
function nextQuery(answer: JsonObject): string | null {
  if (answer['has_more'] === true && isText(answer['last_id'])) return query(['after_id'], answer['last_id']);
  for (const [member, parameters] of PAGE_TOKENS) {
    const token = answer[member];
    if (isToken(token) && !isLink(token)) return query(parameters, token);
  }
  return null;
}

const query = (names: readonly string[], value: string): string =>
  `?${names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
const isToken = (value: unknown): value is string => isText(value, TOKEN_LENGTH_MAX);
const isLink = (text: string): boolean => text.startsWith('/') || text.startsWith('?') || text.includes('://');

/** The usable rows among `rows`, in their order. */
export function catalogRows(rows: readonly unknown[]): CatalogModel[] {
  const models = new Map<string, CatalogModel>();
  for (const row of rows) {
    if (isObject(row) && isText(row['id']) && !models.has(row['id'])) models.set(row['id'], catalogRow(row['id'], row));
  }
  return [...models.values()];
}

function catalogRow(id: string, row: JsonObject): CatalogModel {
  const { object, created, owned_by: ownedBy, display_name: displayName, created_at: createdAt } = row;
  return {
    id,
    object: isText(object) ? object : 'model',
    created: secondsOf(created) || secondsOf(timeOf(createdAt)),
    // Some providers leave it out and begin the ID with it.
    owned_by: isText(ownedBy) ? ownedBy : id.includes('/') ? id.slice(0, id.indexOf('/')) : 'system',
    ...(isText(displayName) ? { display_name: displayName } : {}),
    ...(timeOf(createdAt) === null ? {} : { created_at: createdAt as string }),
  };
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
function isText(value: unknown, lengthMax = TEXT_LENGTH_MAX): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= lengthMax &&
    !/\p{Cc}/u.test(value) &&
    value.isWellFormed()
  );
}

/** Unix seconds; 0 for any other value. */
function secondsOf(created: unknown): number {
  const seconds = typeof created === 'number' ? Math.trunc(created) : 0;
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 0;
}

const ISO_8601 = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Unix seconds of an ISO 8601 time; null for any other value. */
function timeOf(createdAt: unknown): number | null {
  if (!isText(createdAt) || !ISO_8601.test(createdAt)) return null;
  const ms = Date.parse(createdAt);
  return Number.isNaN(ms) ? null : ms / 1_000;
}

const PAGES_MAX = 100;

/**
 * The upstream's whole list. Most providers return all of it at once; others return pages (`parseCatalog`).
 * @param ask for one page, by the query that names it; empty: the first
 * @throws Error if a page is unusable, or the list has no end
 */
export async function allPages(ask: (query: string) => Promise<Buffer>): Promise<CatalogModel[]> {
  const all = new Map<string, CatalogModel>();
  let query: string | null = '';
  for (let pages = 0; query !== null; pages++) {
    const { models, next } = parseCatalog(await ask(query));
    for (const model of models) if (!all.has(model.id)) all.set(model.id, model);
    if (pages === PAGES_MAX || all.size > MODELS_MAX) throw new Error('the list has too many pages or models');
    query = next;
  }
  return [...all.values()];
}
