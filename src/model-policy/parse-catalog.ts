import { parseResponse } from '../platform/json/json-structure.js';
import { containsSecret } from '../upstream/credentials.js';
import { isObject, type JsonObject } from '../platform/validation/check.js';

export interface CatalogModel {
  readonly id: string;
  readonly object: string;
  /** Unix seconds; 0 if unknown */
  readonly created: number;
  readonly owned_by: string;
  readonly display_name?: string;
  readonly created_at?: string;
}

const MODELS_MAX = 10_000;
const TEXT_LENGTH_MAX = 200;
const TOKEN_LENGTH_MAX = 4_096;

interface CatalogPage {
  readonly models: CatalogModel[];
  readonly next: string | null;
}

/**
 * Parses the upstream's response to `GET /v1/models`. The list is `data`, `models` or the response itself. Rows without a usable
 * ID are skipped, and the first of several equal IDs wins. A missing or malformed standard field gets a neutral value.
 * @throws Error if the response is not a list, is empty or names too many models
 */
export function parseCatalog(body: Buffer): CatalogPage {
  const response = parsed(body);
  const page = isObject(response) ? response : {};
  const data = listOf(page['data']);
  const rows = data ?? listOf(page['models']) ?? listOf(response);
  if (rows === null) throw new Error('the response is not a list, {"data": […]} or {"models": […]}');
  if (rows.length > MODELS_MAX) throw new Error(`the list has more than ${MODELS_MAX} entries`);
  const models = catalogRows(data === null ? rows.map(namedById) : rows);
  if (models.length === 0) throw new Error('the list is empty');
  return { models, next: nextQuery(page) };
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

const namedById = (row: unknown): unknown => (isObject(row) && !isText(row['id']) ? { ...row, id: row['name'] } : row);

/**
 * Fields that contain the token of the next page, and the query parameters for it. Google and Cohere use the first two.
 * APIs with `next_page` use different parameters, so the token is sent under each name.
 */
const PAGE_TOKENS = [
  ['nextPageToken', ['pageToken']],
  ['next_page_token', ['page_token']],
  ['next_page', ['page', 'page_token', 'pageToken']],
] as const;

/**
 * Returns the query of the next page. Links (`next`, or a `next_page` that is a link) are ignored, because the account's
 * credential must be sent only to the configured address.
 */
function nextQuery(page: JsonObject): string | null {
  if (page['has_more'] === true && isText(page['last_id'])) return query(['after_id'], page['last_id']);
  for (const [field, parameters] of PAGE_TOKENS) {
    const token = page[field];
    if (isToken(token) && !isLink(token)) return query(parameters, token);
  }
  return null;
}

const query = (names: readonly string[], value: string): string =>
  `?${names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
const isToken = (value: unknown): value is string => isText(value, TOKEN_LENGTH_MAX);
const isLink = (text: string): boolean => text.startsWith('/') || text.startsWith('?') || text.includes('://');

export function catalogRows(rows: readonly unknown[]): CatalogModel[] {
  const models = new Map<string, CatalogModel>();
  for (const row of rows) {
    if (isObject(row) && isText(row['id']) && !models.has(row['id'])) models.set(row['id'], catalogRow(row['id'], row));
  }
  return [...models.values()];
}

/** Removes models that contain a credential of an account, because every key can read the list. */
export const withoutSecrets = (models: readonly CatalogModel[], secrets: readonly string[]): CatalogModel[] =>
  models.filter((model) => !containsSecret(Object.values(model).join('\n'), secrets));

function catalogRow(id: string, row: JsonObject): CatalogModel {
  const { object, created, owned_by: ownedBy, display_name: displayName, created_at: createdAt } = row;
  return {
    id,
    object: isText(object) ? object : 'model',
    created: secondsOf(created) || secondsOf(timeOf(createdAt)),
    // Some providers omit the field and use the owner as the ID's prefix.
    owned_by: isText(ownedBy) ? ownedBy : id.includes('/') ? id.slice(0, id.indexOf('/')) : 'system',
    ...(isText(displayName) ? { display_name: displayName } : {}),
    ...(timeOf(createdAt) === null ? {} : { created_at: createdAt as string }),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return parseResponse(body);
  } catch {
    // The parser's message quotes the response, which must not be logged.
    throw new Error('the response is not JSON, or has too many values');
  }
}

// Excludes control characters and unpaired surrogates, because PostgreSQL would reject the whole list for one such ID.
function isText(value: unknown, lengthMax = TEXT_LENGTH_MAX): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= lengthMax &&
    !/\p{Cc}/u.test(value) &&
    value.isWellFormed()
  );
}

/** The end of the year 9999. `Date` cannot represent all later times. */
const SECONDS_MAX = 253_402_300_799;

function secondsOf(created: unknown): number {
  const seconds = typeof created === 'number' ? Math.trunc(created) : 0;
  return seconds > 0 && seconds <= SECONDS_MAX ? seconds : 0;
}

const ISO_8601 = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

function timeOf(createdAt: unknown): number | null {
  if (!isText(createdAt) || !ISO_8601.test(createdAt)) return null;
  const ms = Date.parse(createdAt);
  return Number.isNaN(ms) ? null : ms / 1_000;
}

const PAGES_MAX = 100;

/**
 * Reads all pages of the upstream's list. The first query is empty.
 * @throws Error if a page is unusable, or if there are more than 100 pages or 10,000 models
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
