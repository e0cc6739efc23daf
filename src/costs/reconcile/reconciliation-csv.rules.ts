import { csvLine } from '../../platform/csv/csv-line.rules.js';
import type { Compared } from './comparison.rules.js';
import { differenceCells } from './differences.rules.js';
import type { Measure } from './measures.data.js';
import type { Reconciliation } from './reconciliations.service.js';

const FIXED = ['level', 'date', 'model', 'found_in', 'matches'] as const;
const COUNTS = ['gateway_requests', 'unpriced_requests', 'estimated_requests', 'backfilled_requests'] as const;

/** A row for the totals, one for each day, and one for each day and model. The figures are those of the JSON result. */
export function reconciliationCsv({ file, comparison }: Pick<Reconciliation, 'file' | 'comparison'>): string {
  const measures = [...file.measures.keys()];
  const header = [...FIXED, ...measures.flatMap(headersOf), ...COUNTS];
  const row = (level: string, date: string, model: string, compared: Compared) => [
    level,
    date,
    model,
    compared.foundIn,
    String(compared.matches),
    ...measures.flatMap((measure) => differenceCells(compared, measure, '')),
    ...[compared.requests, compared.unpricedRequests, compared.estimatedRequests, compared.backfilledRequests].map(
      String,
    ),
  ];
  const rows = [
    row('total', '', '', comparison.totals),
    ...comparison.days.map((day) => row('day', day.day, '', day)),
    ...(comparison.models ?? []).map((model) => row('model', model.day, model.model, model)),
  ];
  return [header, ...rows].map(csvLine).join('');
}

const headersOf = (measure: Measure): string[] => [
  `provider_${measure}`,
  `gateway_${measure}`,
  `${measure}_difference`,
  `${measure}_difference_percent`,
];
