import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Module } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { PageRequest } from '../admin/page.dto.js';
import { MissingPriceListResponse, RecomputedResponse } from '../admin/prices/missing-price.dto.js';
import { ListPricesRequest, LookUpPriceRequest, lookupOf } from '../admin/prices/price-query.request.dto.js';
import { RecomputeRequest, recomputeFilterOf } from '../admin/prices/price-query.request.dto.js';
import { LookedUpPriceResponse, type PriceResponse } from '../admin/prices/price.response.dto.js';
import { AdminPrices } from '../admin/prices/admin-prices.service.js';
import { UuidPipe } from '../admin/id.pipes.js';
import { Config } from '../platform/config/config.js';
import { CostsModule } from '../costs/costs.module.js';
import { MissingPrices } from '../costs/missing-prices.read-model.js';
import { OperatorPrices } from '../costs/operator-prices.service.js';
import { changedKinds, PriceFileImport, type PriceChange } from '../costs/price-file-import.service.js';
import { PriceExplanation } from '../costs/price-explanation.service.js';
import type { PriceTerms } from '../costs/price-terms.js';
import { PriceFileError, pricesOfFile, type FilePrice } from '../costs/pricing/price-file.rules.js';
import type { PriceRow, Prices } from '../costs/pricing/price-row.js';
import { formatNanos } from '../costs/pricing/price-text.rules.js';
import { accountNames } from '../costs/upstream-accounts.rules.js';
import { RecomputeCosts } from '../costs/recompute-costs.service.js';
import { GatewayError } from '../platform/errors/gateway-error.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { withAdvice, CliError, usageError } from './cli-error.js';
import { PLACEHOLDER_UPSTREAM, withApplication } from './application.js';
import { checkBody, namingOptions, readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import {
  PAGE_OPTIONS,
  PRICE_LIST_OPTIONS,
  PRICE_SET_OPTIONS,
  PRICE_SHOW_OPTIONS,
  RECOMPUTE_OPTIONS,
} from './options.data.js';
import { counted, pageText, printable, textList, textTable, timeText } from './text-table.js';

@Module({ imports: [CostsModule], providers: [AdminPrices] })
class PriceCommandsModule {}

type Input = Record<string, unknown>;

const LIST_HEAD = ['ID', 'MODEL', 'UPSTREAM', 'STATE', 'FROM', 'TO', 'PRICES', 'NOTE'];
const MISSING_HEAD = ['MODEL', 'UPSTREAM', 'REQUESTS', 'LAST USED', 'KINDS WITHOUT A PRICE'];
const BACKFILLED_HEAD = ['MODEL', 'REQUESTS', 'FIRST DAY', 'LAST DAY', 'KINDS WITHOUT A PRICE'];
const NO_PRICES = 'No operator set a price. The published prices apply.';
const NONE_MISSING = 'Every model that was used has a price.';
const NONE_MISSING_SINCE = 'Since costs are recorded, every model that was used has a price.';
const PRICE_NOT_FOUND = 'Price not found. Use the ID that "price list" shows.';
const ADVICE = { 'Price not found': PRICE_NOT_FOUND, 'with POST /admin/prices.': 'with "price set".' };
const NO_PUBLISHED = 'Published prices were not considered, because this command has no GW_UPSTREAM_BASE_URL.';
const NONE_PRICED = ' A price must be valid from before the first use: set it with "price set --from".';
const priceId = new UuidPipe(PRICE_NOT_FOUND);

export async function listPrices(call: Invocation, input: Input): Promise<Result> {
  const query = await readQuery(ListPricesRequest, input, PRICE_LIST_OPTIONS);
  return withPrices(call, false, async (services) => {
    const document = await services.get(AdminPrices).list(query);
    const { offset } = query;
    const text = pageText(LIST_HEAD, document.prices.map(cellsOf), { offset, total: document.total, none: NO_PRICES });
    return { document, text };
  });
}

export async function showPrice(call: Invocation, model: string, input: Input): Promise<Result> {
  const query = await readQuery(LookUpPriceRequest, { model, ...input }, PRICE_SHOW_OPTIONS);
  return withPrices(call, false, async (services) => {
    const lookup = services.get(PriceExplanation, { strict: false });
    const document = await namingOptions(PRICE_SHOW_OPTIONS, async () =>
      LookedUpPriceResponse.of(lookup.find(lookupOf(query))),
    ).catch((error: unknown) => {
      throw explained(error, services.get(Config, { strict: false }));
    });
    return { document, text: shownText(document) };
  });
}

/** Published prices depend on the provider's host. */
function explained(error: unknown, { upstreams, upstreamBaseUrl }: Config): unknown {
  const isKnown = upstreams !== null || upstreamBaseUrl !== PLACEHOLDER_UPSTREAM;
  return isKnown || !(error instanceof GatewayError) || error.code !== 'not_found'
    ? error
    : new GatewayError(error.code, `${error.message} ${NO_PUBLISHED}`);
}

export function setPrice(call: Invocation, model: string, input: Input): Promise<Result> {
  const prices: Input = {};
  const body: Input = { model };
  for (const [field, value] of Object.entries(input)) {
    if (field.startsWith('prices.')) prices[field.slice('prices.'.length)] = value;
    else body[field] = value;
  }
  const given = 'list' in body && Object.keys(prices).length === 0 ? body : { ...body, prices };
  return withPrices(call, true, async (services) => {
    const document = await namingOptions(PRICE_SET_OPTIONS, () =>
      services.get(AdminPrices).create(given, SYSTEM_ACTOR),
    );
    const from = timeText(document.valid_from);
    const place = document.provider === '*' ? 'all upstreams' : `upstream "${printable(document.provider)}"`;
    const text = `Set the price of "${printable(document.model)}" for ${place} from ${from}.\n  id  ${document.id}\n`;
    return { document, text };
  });
}

export interface ImportOptions {
  readonly dryRun?: true;
  /** A provider of a published list. */
  readonly list?: string;
  /** An upstream. */
  readonly provider?: string;
}

export async function importPrices(call: Invocation, path: string, options: ImportOptions): Promise<Result> {
  const { content, hash } = await readJson(path);
  const listed = listedPrices(content, path, options);
  if (listed !== null) return importList(call, { listed, path, hash }, options);
  if (options.list !== undefined || options.provider !== undefined)
    throw usageError(`--list and --provider need a list of LiteLLM, OpenRouter or genai-prices.`);
  const body = Array.isArray(content) ? { prices: content as unknown[] } : content;
  return withPrices(call, options.dryRun !== true, async (services) => {
    if (options.dryRun) {
      const count = await services.get(AdminPrices).check(body);
      return { document: { dry_run: true, prices: count }, text: `Would set ${counted(count, 'price')}.\n` };
    }
    const document = await services.get(AdminPrices).import(body, SYSTEM_ACTOR);
    return { document, text: `Set ${counted(document.prices.length, 'price')} of ${printable(path)}.\n` };
  });
}

/** Null for prices in the form of the Admin API. */
function listedPrices(content: unknown, path: string, { list }: ImportOptions): FilePrice[] | null {
  try {
    const all = pricesOfFile(content, Date.now());
    if (all === null) return null;
    const names = [...new Set(all.map(({ provider }) => provider))].sort();
    const chosen = list ?? (names.length === 1 ? names[0] : undefined);
    if (chosen !== undefined && names.includes(chosen)) return all.filter(({ provider }) => provider === chosen);
    throw usageError(`--list: the file has prices of ${printable(names.join(', '))}. Name one of them.`);
  } catch (error) {
    if (!(error instanceof PriceFileError)) throw error;
    throw new CliError('invalid_file', `${printable(path)}: ${printable(error.message)} Nothing was set.`);
  }
}

interface ListFile {
  readonly listed: readonly FilePrice[];
  readonly path: string;
  readonly hash: string;
}

function importList(call: Invocation, { listed, path, hash }: ListFile, options: ImportOptions): Promise<Result> {
  const { dryRun = false, provider = '*' } = options;
  return withPrices(call, !dryRun, async (services) => {
    const upstreams = accountNames(services.get(Config, { strict: false }));
    if (provider !== '*' && !upstreams.includes(provider))
      throw usageError(`--provider must be '*' for all upstreams, or one of ${upstreams.join(', ')}.`);
    const note = `${basename(path).slice(0, NOTE_NAME_MAX)} sha256:${hash}`;
    const { changes, same } = services.get(PriceFileImport, { strict: false }).plan(listed, provider, note);
    const given = changes.map((change) => change.given);
    if (!dryRun && given.length > 0)
      await services.get(OperatorPrices, { strict: false }).add(given, SYSTEM_ACTOR, (at) => `${given[at]!.model}.`);
    const lines = changes.map(lineOf);
    const done = `${dryRun ? 'Would set' : 'Set'} ${counted(changes.length, 'price')}. Unchanged: ${same}.`;
    const document = {
      dry_run: dryRun,
      unchanged: same,
      prices: changes.map(({ kind, model, before, given: { terms } }) => ({
        model,
        kind,
        before: before === null ? null : dollarsOf(before.prices),
        after: dollarsOf(terms.prices),
      })),
    };
    return { document, text: `${[...lines.map(printable), done].join('\n')}\n` };
  });
}

const NOTE_NAME_MAX = 400;

const dollarsOf = (prices: Prices): Record<string, string> =>
  Object.fromEntries(Object.entries(prices).map(([kind, price]) => [kind, formatNanos(price)]));

const newText = (prices: Prices): string => pricesText(dollarsOf(prices));

function lineOf({ kind, model, before, given: { terms } }: PriceChange): string {
  if (before === null) return `+ ${model}  ${newText(terms.prices)}`;
  return kind === 'kept' ? `= ${model}  keeps its price` : `~ ${model}  ${changeText(before, terms)}`;
}

function changeText(before: Pick<PriceRow, 'prices' | 'tiers'>, after: Pick<PriceTerms, 'prices' | 'tiers'>): string {
  const text = (price: number | undefined) => (price === undefined ? 'none' : formatNanos(price));
  const kinds = changedKinds(before.prices, after.prices).map(
    (kind) => `${kind} ${text(before.prices[kind])} -> ${text(after.prices[kind])}`,
  );
  return kinds.length === 0 ? 'other prices above a number of input tokens' : kinds.join(', ');
}

export function deletePrice(call: Invocation, typedId: string): Promise<Result> {
  const id = priceId.transform(typedId);
  return withPrices(call, true, async (services) => {
    await services.get(OperatorPrices, { strict: false }).delete(id, SYSTEM_ACTOR);
    return { document: { id, deleted: true }, text: `Deleted the price ${id}. Recorded costs stay.\n` };
  });
}

export async function listMissingPrices(call: Invocation, input: Input): Promise<Result> {
  const query = await readQuery(PageRequest, input, PAGE_OPTIONS);
  return withPrices(call, false, async (services) => {
    const prices = services.get(MissingPrices, { strict: false });
    const [page, backfilled] = [await prices.list(query), await prices.backfilled()];
    const document = MissingPriceListResponse.of(page, backfilled, query.offset);
    const rows = document.models.map((row) => [
      row.model,
      row.provider,
      `${row.requests}${row.requests_capped ? '+' : ''}`,
      timeText(row.last_used_at),
      kindsText(row.unpriced_kinds),
    ]);
    const { total } = document;
    const none = document.backfilled.length === 0 ? NONE_MISSING : NONE_MISSING_SINCE;
    const text = pageText(MISSING_HEAD, rows, { offset: query.offset, total, none });
    return { document, text: `${text}${backfilledText(document.backfilled)}` };
  });
}

const kindsText = (kinds: readonly string[]): string =>
  kinds.length === 0 ? 'none: run "price recompute"' : kinds.join(',');

function backfilledText(models: MissingPriceListResponse['backfilled']): string {
  if (models.length === 0) return '';
  const rows = models.map((row) => [
    row.model ?? '-',
    String(row.requests),
    row.first_day,
    row.last_day,
    kindsText(row.unpriced_kinds),
  ]);
  return `\nDays before costs were recorded:\n${textTable(BACKFILLED_HEAD, rows)}`;
}

export async function recomputeCosts(call: Invocation, input: Input): Promise<Result> {
  const filter = recomputeFilterOf(await checkBody(RecomputeRequest, input, RECOMPUTE_OPTIONS));
  return withPrices(call, true, async (services) => {
    const result = await services.get(RecomputeCosts, { strict: false }).run(filter, SYSTEM_ACTOR);
    const document = RecomputedResponse.of(result);
    const { recomputed, backfilled, amount, still_unpriced: left } = document;
    const earlier = backfilled === 0 ? '' : ` (${backfilled} from days before costs were recorded)`;
    const rest = left === 0 ? '' : ` ${counted(left, 'request')} still without a price: see "price missing".`;
    const remedy = left > 0 && recomputed === 0 ? NONE_PRICED : '';
    const done = `Priced ${counted(recomputed, 'request')}${earlier}. Added $${amount} to the costs.`;
    return { document, text: `${done}${rest}${remedy}\n` };
  });
}

function withPrices(
  call: Invocation,
  writes: boolean,
  work: (services: ModuleRef) => Promise<Result>,
): Promise<Result> {
  const workWithPrices = async (services: ModuleRef): Promise<Result> => {
    const prices = services.get(OperatorPrices, { strict: false });
    // Nest calls no hooks of lazily loaded modules.
    await prices.refresh();
    if (!prices.known)
      throw new CliError(
        'database_unavailable',
        `The operators' prices cannot be read. Run "doctor" to check the database.`,
      );
    return work(services);
  };
  return withAdvice(ADVICE, () => withApplication(call, { module: PriceCommandsModule, writes }, workWithPrices));
}

async function readJson(path: string): Promise<{ content: unknown; hash: string }> {
  try {
    const bytes = await readFile(path);
    const hash = createHash('sha256').update(bytes).digest('hex');
    // Unlike `readFile` with an encoding, it strips a byte order mark.
    return { content: JSON.parse(new TextDecoder().decode(bytes)) as unknown, hash };
  } catch (error) {
    const problem =
      error instanceof SyntaxError
        ? `is not valid JSON (${error.message}). Correct it.`
        : 'cannot be read. Check its path.';
    throw usageError(`The file ${printable(path)} ${problem}`);
  }
}

const pricesText = (prices: Readonly<Record<string, string>>): string =>
  Object.entries(prices)
    .map(([kind, price]) => `${kind}=${price}`)
    .join(' ');

function cellsOf({ id, model, provider, state, valid_from, valid_to, note, ...price }: PriceResponse): string[] {
  return [id, model, provider, state, timeText(valid_from), timeText(valid_to), termsText(price), note ?? ''];
}

const termsText = (price: Pick<PriceResponse, 'list' | 'prices' | 'tiers' | 'images' | 'factors' | 'hours'>): string =>
  [
    price.list === null ? pricesText(price.prices) : `list=${price.list}`,
    ...price.tiers.map(({ above, prices }) => `above ${above}: ${pricesText(prices)}`),
    ...(price.images.length === 0 ? [] : [counted(price.images.length, 'image price')]),
    ...(price.factors.length === 0 ? [] : [counted(price.factors.length, 'factor')]),
    ...(price.hours === null ? [] : [`hours=${price.hours}`]),
  ].join('; ');

function shownText({ model, provider, at, reason, list, ...price }: LookedUpPriceResponse): string {
  const { prices, tiers, images, factors, hours } = price;
  const rows: [string, string][] = [
    ...Object.entries(prices),
    ...tiers.map((tier): [string, string] => [`above ${tier.above} input tokens`, pricesText(tier.prices)]),
    ...images.map((image): [string, string] => [`image ${image.size ?? '*'} ${image.quality ?? '*'}`, image.price]),
    ...factors.map((factor): [string, string] => [
      factor.service_tier === null ? `region ${factor.region}` : `tier ${factor.service_tier}`,
      `x ${factor.multiplier}`,
    ]),
    ...(hours === null ? [] : [['hours (UTC)', hours] as [string, string]]),
  ];
  const version = list === null ? '' : `Published list: ${list.version} of ${list.date}.\n`;
  const head = `Price of "${printable(model)}" at upstream "${printable(provider)}" at ${timeText(at)}, in USD per million units:\n`;
  return `${head}${textList(rows)}${printable(reason)}\n${version}`;
}
