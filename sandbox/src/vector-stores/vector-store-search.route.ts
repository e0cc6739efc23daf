import { storedFile } from '../files/files.route.js';
import type { StoredFile } from '../files/stored-file.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalCount } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { missingParameter } from '../wire/vendor-error.js';
import { keptStore } from './vector-stores.route.js';

export const VECTOR_STORE_SEARCH_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/vector_stores/{store}/search', handle: searchStore },
];

const RESULTS_DEFAULT = 10;
const RESULTS_MAX = 50;
const CHUNK_LENGTH = 4_000;
/** The search reads only this part of each file. */
const READ_BYTES_MAX = 1_000_000;

/** Ranks files by the number of query words that they contain. Ignores filters. */
function searchStore({ params, body, memory }: SandboxRequest): JsonResponse {
  const store = keptStore(memory, params.store ?? '');
  const asked = parseJsonObject(body);
  const wanted: readonly unknown[] = [asked.query].flat();
  const queries = wanted.filter((query) => typeof query === 'string');
  const count = optionalCount(asked, 'max_num_results', RESULTS_MAX) ?? RESULTS_DEFAULT;

  if (queries.length === 0) throw missingParameter('query');

  const words = wordsOf(queries.join(' '));
  const data = store.files
    .map(({ id, attributes }) => ({ ...resultOf(storedFile(memory, id), words), attributes }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, count);

  return jsonResponse({
    object: 'vector_store.search_results.page',
    search_query: queries,
    data,
    has_more: false,
    next_page: null,
  });
}

interface SearchResult {
  readonly file_id: string;
  readonly filename: string;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly score: number;
}

function resultOf({ id, filename, bytes }: StoredFile, words: ReadonlySet<string>): SearchResult {
  const text = bytes.toString('utf8', 0, READ_BYTES_MAX);
  const known = wordsOf(text);
  const found = [...words].filter((word) => known.has(word)).length;

  return {
    file_id: id,
    filename,
    content: [{ type: 'text', text: text.slice(0, CHUNK_LENGTH) }],
    score: words.size === 0 ? 0 : found / words.size,
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
