// Writes src/costs/pricing/price-list.data.ts from the package @pydantic/genai-prices.
//
//   node tools/write-price-list.js DATE [--package FOLDER] [--check]
//
// DATE is the day on which npm published the version, because the package does not contain it. With `--check` the tool writes
// nothing, and exits with 1 if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import './typescript-hook.js';

const { compileClause, compilePattern } = await import('../src/costs/pricing/match-clause.rules.ts');
const { USAGE_KINDS } = await import('../src/costs/usage-kinds.data.ts');

const FILE = 'src/costs/pricing/price-list.data.ts';
const PACKAGE = '@pydantic/genai-prices';

/** The kinds by the package's names, and the number of units that the package's price is for. */
const KINDS = {
  input_mtok: ['input', 1_000_000],
  cache_read_mtok: ['cached_input', 1_000_000],
  cache_write_mtok: ['cache_write_5m', 1_000_000],
  cache_write_1h_mtok: ['cache_write_1h', 1_000_000],
  output_mtok: ['output', 1_000_000],
  output_reasoning_mtok: ['reasoning', 1_000_000],
  output_citation_mtok: ['citations', 1_000_000],
  input_audio_mtok: ['audio_input', 1_000_000],
  cache_audio_read_mtok: ['cached_audio_input', 1_000_000],
  output_audio_mtok: ['audio_output', 1_000_000],
  input_image_mtok: ['image_input', 1_000_000],
  cache_image_read_mtok: ['cached_image_input', 1_000_000],
  output_image_mtok: ['image_output', 1_000_000],
  input_video_mtok: ['video_input', 1_000_000],
  output_video_mtok: ['video_output', 1_000_000],
  web_searches_kcount: ['web_searches', 1_000],
  storage_searches_kcount: ['file_searches', 1_000],
  code_executions_kcount: ['code_executions', 1_000],
  requests_kcount: ['requests', 1_000],
  input_mchars: ['characters', 1_000_000],
  audio_hours: ['audio_seconds', 3_600],
  input_audio_hours: ['audio_seconds', 3_600],
  input_document_kpages: ['document_pages', 1_000],
  input_annotated_document_kpages: ['annotated_pages', 1_000],
  input_text_messages_kcount: ['text_messages', 1_000],
};

/** Maps results of floating-point arithmetic in the package to the decimals that they stand for. */
const INEXACT = {
  0.18000000000000002: '0.18',
  // A twelfth of a dollar, rounded up to a nano-dollar.
  0.08333333333333334: '0.083333334',
};

/** These models have no price in the package because they are free. The price of others is unknown. */
const isFree = (providerId, modelId) =>
  modelId.endsWith(':free') ||
  (providerId === 'openai' && modelId === 'moderation') ||
  (providerId === 'google' && modelId.startsWith('gemma-'));

/** Groq bills at least ten seconds, a rule that the package has in its code instead of its data. */
const MINIMUMS = {
  groq: { 'whisper-large-v3': { audio_seconds: 10 }, 'whisper-large-v3-turbo': { audio_seconds: 10 } },
};

/** These IDs also match a model with a shorter name, which is listed first in the package. */
const OWN_NAMES = {
  google: { 'gemini-flash-1.5-8b': { contains: 'gemini-1.5-flash-8b' } },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: 'string' }, check: { type: 'boolean', default: false } },
});
const [date] = positionals;
if (!/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) throw new Error('Name the date of the version: 2026-09-23.');

const folder = values.package ? resolve(values.package) : dirname(findPackageJSON(PACKAGE, import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
const { waitForUpdate } = await import(pathToFileURL(resolve(folder, 'dist/index.js')).href);
const written = fileOf((await waitForUpdate()).map(providerOf));

if (!values.check) writeFileSync(FILE, written);
else if (readFileSync(FILE, 'utf8') !== written) {
  console.error(`${FILE} differs from ${PACKAGE} ${version}. Run node tools/write-price-list.js.`);
  process.exitCode = 1;
}

/** Writes one model per line, so that a new version of the package has a readable diff. */
function fileOf(providers) {
  const licence = readFileSync(resolve(folder, 'LICENSE'), 'utf8').trim();
  const lines = providers.flatMap(({ models, ...provider }, index) => [
    `${JSON.stringify(provider).slice(0, -1)},"models":[`,
    ...models.map((model, at) => JSON.stringify(model) + (at < models.length - 1 ? ',' : '')),
    index < providers.length - 1 ? ']},' : ']}',
  ]);
  const head = { package: PACKAGE, version, date, licence };
  const text = `${JSON.stringify(head).slice(0, -1)},"providers":[\n${lines.join('\n')}\n]}`;
  if (/`|\$\{/.test(text)) throw new Error('The data contains a character that ends a template literal.');
  JSON.parse(text);
  return `/**
 * Prices of ${PACKAGE} ${version}, as JSON. Written by tools/write-price-list.js. The MIT license of the data is
 * its field \`licence\`.
 */
export const PRICE_LIST_JSON = String.raw\`${text}\`;
`;
}

function providerOf(provider) {
  compilePattern(provider.api_pattern);
  for (const clause of [provider.model_match, provider.provider_match]) if (clause) compileClause(clause);
  return {
    id: provider.id,
    url: provider.api_pattern,
    ...(provider.model_match && { makes: provider.model_match }),
    ...(provider.provider_match && { named: provider.provider_match }),
    ...(provider.fallback_model_providers && { fallbacks: provider.fallback_model_providers }),
    models: withOwnNames(
      provider.models.map((model) => modelOf(provider.id, model)),
      OWN_NAMES[provider.id] ?? {},
    ),
  };
}

/** The first match wins, so models with such names come first. */
function withOwnNames(models, names) {
  const missing = Object.keys(names).filter((id) => !models.some((model) => model.id === id));
  if (missing.length > 0) throw new Error(`OWN_NAMES has models that the package lacks: ${missing.join(', ')}`);
  const named = models.filter(({ id }) => id in names);
  const first = named.map(({ match, ...model }) => ({
    id: model.id,
    match: { or: [match, names[model.id]] },
    ...model,
  }));
  return [...first, ...models.filter((model) => !named.includes(model))];
}

function modelOf(providerId, model) {
  compileClause(model.match);
  const name = `${providerId} ${model.id}`;
  let conditional = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  if (isFree(providerId, model.id) && Object.keys(model.prices).length === 0)
    conditional = [{ prices: { input_mtok: 0, output_mtok: 0 } }];
  const minimums = MINIMUMS[providerId]?.[model.id];
  return { id: model.id, match: model.match, ...(minimums && { minimums }), rows: rowsOf(name, conditional) };
}

/** The last row that applies wins. A row with daily hours starts with the dated row before it. */
function rowsOf(name, conditional) {
  let from;
  return conditional.map(({ constraint, prices }) => {
    if (constraint?.type === 'start_date') from = constraint.start_date;
    else if (constraint !== undefined && constraint.type !== 'time_of_date')
      throw new Error(`${name}: unknown constraint ${JSON.stringify(constraint)}`);
    const hours = constraint?.type === 'time_of_date' && [seconds(constraint.start_time), seconds(constraint.end_time)];
    return { ...(from && { from }), ...(hours && { hours }), ...pricesOf(name, prices) };
  });
}

function seconds(text) {
  const [, hour, minute, second] = /^(\d\d):(\d\d):(\d\d)Z$/.exec(text) ?? [];
  if (second === undefined) throw new Error(`${text} is not a time in UTC.`);
  return hour * 3600 + minute * 60 + Number(second);
}

function pricesOf(name, prices) {
  const base = {};
  const tiers = new Map();
  for (const [key, price] of Object.entries(prices)) {
    if (price === undefined) continue;
    const [kind] = KINDS[key] ?? [];
    if (kind === undefined) throw new Error(`${name}: ${key} is not in KINDS`);
    const nanos = nanosOf(name, key, typeof price === 'object' ? price.base : price);
    if (base[kind] !== undefined && base[kind] !== nanos) throw new Error(`${name}: two prices of ${kind}`);
    base[kind] = nanos;
    for (const tier of typeof price === 'object' ? price.tiers : []) {
      if (!tiers.has(tier.start)) tiers.set(tier.start, {});
      tiers.get(tier.start)[kind] = nanosOf(name, key, tier.price);
    }
  }
  const above = [...tiers].sort(([a], [b]) => a - b);
  const changes = above.map(([start, changed]) => [start, inOrder(changed)]);
  return { prices: inOrder(base), ...(changes.length > 0 && { tiers: changes }) };
}

function inOrder(prices) {
  return Object.fromEntries(Object.keys(USAGE_KINDS).flatMap((kind) => (kind in prices ? [[kind, prices[kind]]] : [])));
}

/** The shortest decimal text of a number is the decimal that the package's authors wrote. */
function nanosOf(name, key, price) {
  const text = INEXACT[price] ?? String(price);
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${name}: ${key} ${text} is not a decimal of nano-dollars`);
  const [kind, per] = KINDS[key];
  const nanos = BigInt(whole + decimals.padEnd(9, '0')) * BigInt(USAGE_KINDS[kind].per);
  if (nanos % BigInt(per) !== 0n) throw new Error(`${name}: ${key} ${text} is not exact`);
  const exact = Number(nanos / BigInt(per));
  if (!Number.isSafeInteger(exact)) throw new Error(`${name}: ${key} ${text} is too large`);
  return exact;
}
