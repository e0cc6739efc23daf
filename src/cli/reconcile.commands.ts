import { readFile, stat } from 'node:fs/promises';
import {
  reconcileInputOf,
  ReconciliationRequest,
  ReconciliationResponse,
} from '../admin/reconciliation/reconciliation.dto.js';
import { CostsModule } from '../costs/costs.module.js';
import type { Compared } from '../costs/reconcile/comparison.rules.js';
import { differenceCells } from '../costs/reconcile/differences.rules.js';
import { reconciliationCsv } from '../costs/reconcile/reconciliation-csv.rules.js';
import type { Measure } from '../costs/reconcile/measures.data.js';
import { CSV_BYTES_MAX, Reconciliations, type Reconciliation } from '../costs/reconcile/reconciliations.service.js';
import { GatewayError } from '../platform/errors/gateway-error.js';
import { withAdvice, CliError, usageError } from './cli-error.js';
import { withApplication } from './application.js';
import { checkBody, wrongInput } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { RECONCILE_OPTIONS } from './options.data.js';
import { printable, textTable } from './text-table.js';

export interface ReconcileOptions {
  readonly csv?: true;
}

/** @param path of the provider's CSV export */
export async function reconcileFile(
  call: Invocation,
  path: string,
  input: Record<string, unknown>,
  { csv: asCsv }: ReconcileOptions,
): Promise<Result> {
  if (asCsv === true && call.json) throw usageError("option '--csv' cannot be used with option '--json'");
  const csv = await readExport(path);
  const body = await checkBody(ReconciliationRequest, { ...input, csv }, RECONCILE_OPTIONS);
  return withApplication(call, { module: CostsModule, writes: false }, async (services) => {
    const result = await namingOption(() => services.get(Reconciliations).reconcile(reconcileInputOf(body)));
    return {
      document: ReconciliationResponse.of(result),
      text: asCsv === true ? reconciliationCsv(result) : reconciliationText(result),
    };
  });
}

/** Other errors are about the file, so they name no option. */
async function namingOption<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withAdvice({ "Set 'format' to": 'Set --format to' }, work);
  } catch (error) {
    const isOption = error instanceof GatewayError && RECONCILE_OPTIONS.some(({ field }) => field === error.param);
    throw isOption ? wrongInput(RECONCILE_OPTIONS, error) : error;
  }
}

async function readExport(path: string): Promise<string> {
  const unreadable = (problem: string) => usageError(`The file ${printable(path)} ${problem}`);
  try {
    const { size } = await stat(path);
    if (size > CSV_BYTES_MAX) throw unreadable(`is larger than ${CSV_BYTES_MAX} bytes. Export fewer days.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreadable(
      error instanceof TypeError ? 'is not UTF-8 text. Save it as UTF-8.' : 'cannot be read. Check its path.',
    );
  }
}

const TITLES: Readonly<Record<Measure, string>> = {
  cost: 'USD',
  requests: 'REQUESTS',
  input_tokens: 'INPUT',
  cached_input_tokens: 'CACHED',
  cache_write_tokens: 'CACHE WRITES',
  output_tokens: 'OUTPUT',
  web_searches: 'SEARCHES',
};

function reconciliationText({ file, comparison, summary, causes }: Reconciliation): string {
  const measures = [...file.measures.keys()];
  const rowOf = (name: readonly string[], compared: Compared) => (measure: Measure) => [
    ...name,
    TITLES[measure],
    ...differenceCells(compared, measure, '-'),
    noteOf(compared),
  ];
  const days = comparison.days.map((day) => ({ name: [day.day], compared: day }));
  const rows = [...days, { name: ['total'], compared: comparison.totals }].flatMap(({ name, compared }) =>
    measures.map(rowOf(name, compared)),
  );
  const differing = (comparison.models ?? []).filter(({ matches }) => !matches);
  const models = differing.flatMap((model) =>
    measures.map(rowOf([model.day, model.model === '' ? '-' : model.model], model)),
  );
  const figures = ['FIGURE', 'PROVIDER', 'GATEWAY', 'DIFFERENCE', 'PERCENT', 'NOTE'];
  return [
    `${summary}\n`,
    ...causes.map(({ code, message }) => `${code}: ${printable(message)}\n`),
    `\n${textTable(['DAY', ...figures], rows)}`,
    ...(models.length === 0 ? [] : [`\nModels that differ:\n${textTable(['DAY', 'MODEL', ...figures], models)}`]),
  ].join('');
}

function noteOf({ foundIn, matches, unpricedRequests, estimatedRequests }: Compared): string {
  const notes = [
    foundIn === 'both' ? (matches ? 'matches' : '') : `only in the ${foundIn === 'provider' ? 'export' : 'gateway'}`,
    unpricedRequests > 0 ? `lower bound: ${unpricedRequests} unpriced` : '',
    estimatedRequests > 0 ? `${estimatedRequests} estimated` : '',
  ];
  return notes.filter((note) => note !== '').join(', ') || '-';
}
