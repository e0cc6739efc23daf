import { validationError } from '../../platform/errors/error-factories.js';
import type { Measure } from './measures.data.js';

/** Exact sums. `cost` is in nano-dollars. */
export type Figures = ReadonlyMap<Measure, bigint>;

export interface Sums {
  readonly figures: Map<Measure, bigint>;
  /** The number of rows that were added up. */
  rows: number;
}

/** Bounds memory and the size of the result. */
const PAIRS_MAX = 10_000;

export class DayModelSums {
  private readonly days = new Map<string, Map<string, Sums>>();
  private pairs = 0;

  /** @throws GatewayError `validation_error` for too many combinations of day and model */
  add(day: string, model: string, figures: Figures): void {
    let models = this.days.get(day);
    if (models === undefined) this.days.set(day, (models = new Map<string, Sums>()));
    let sums = models.get(model);
    if (sums === undefined) {
      if (++this.pairs > PAIRS_MAX) throw tooManyPairs();
      models.set(model, (sums = { figures: new Map(), rows: 0 }));
    }
    addTo(sums, figures, 1);
  }

  of(day: string): ReadonlyMap<string, Sums> {
    return this.days.get(day) ?? new Map<string, Sums>();
  }

  models(): Set<string> {
    return new Set([...this.days.values()].flatMap((models) => [...models.keys()]));
  }
}

export function addTo(sums: Sums, figures: Figures, rows: number): void {
  for (const [measure, value] of figures) sums.figures.set(measure, (sums.figures.get(measure) ?? 0n) + value);
  sums.rows += rows;
}

export const tooManyPairs = () =>
  validationError('csv', `There are more than ${PAIRS_MAX} combinations of day and model. Export fewer days.`);
