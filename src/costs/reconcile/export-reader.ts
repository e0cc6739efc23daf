import { validationError } from '../../platform/errors/error-factories.js';
import { dayOf, daysBetween } from '../days.rules.js';
import { NANO_DECIMALS } from '../pricing/price-text.rules.js';
import { parseDecimal, parseMoment, shown, columnsOf, type ExportColumns } from './export-columns.rules.js';
import type { CsvRow } from '../../platform/csv/csv-rows.rules.js';
import type { ExportField, ExportFormat } from './export-formats.data.js';
import { addTo, DayModelSums, type Figures, type Sums } from './day-model-sums.js';
import type { Measure } from './measures.data.js';

export interface ProviderExport extends ExportColumns {
  /** First and last day, such as `2026-07-31`. Days without usage count too. */
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly sums: DayModelSums;
  readonly hasModels: boolean;
  /** Amounts with more than nine decimals, which were rounded. */
  readonly rounded: number;
  /** The most decimals of an amount, at least 2: amounts are exact to half of this. */
  readonly decimals: number;
}

const ROWS_MAX = 200_000;
const DAYS_MAX = 366;
/** A trillion dollars. */
const NANOS_MAX = 10n ** 21n;
/** A larger sum would not be an exact integer in JSON. */
const COUNT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Adds up the rows of an export. The first row with text is the header.
 * @throws GatewayError `validation_error` that names the row and the column
 */
export class ExportReader {
  private columns: ExportColumns | null = null;
  private readonly sums = new DayModelSums();
  private readonly total: Sums = { figures: new Map(), rows: 0 };
  private rows = 0;
  private rounded = 0;
  private decimals = 2;
  private from: string | null = null;
  private to = '';
  private hasModels = false;

  constructor(private readonly format: ExportFormat | 'auto') {}

  add(row: CsvRow): void {
    if (row.problem !== null) throw wrongRow(row, row.problem);
    if (this.columns === null) {
      this.columns = columnsOf(row.cells, this.format);
      return;
    }
    const { width } = this.columns;
    if (row.cells.length < width || row.cells.slice(width).some((cell) => cell.trim() !== ''))
      throw wrongRow(row, `has ${row.cells.length} cells, but the header has ${width}.`);
    if (++this.rows > ROWS_MAX) throw wrongRow(row, `is above the limit of ${ROWS_MAX} rows. Export fewer days.`);
    const day = this.dayIn(row);
    this.from = this.from === null || day < this.from ? day : this.from;
    this.to = day > this.to ? day : this.to;
    if (this.isIdle(row)) return;
    this.checkCurrency(row);
    const model = this.modelIn(row);
    if (model !== '') this.hasModels = true;
    const figures = this.figuresIn(row, this.columns);
    this.sums.add(day, model, figures);
    this.checkTotal(row, figures);
  }

  end(): ProviderExport {
    const { columns, from, to, rows, sums, hasModels, rounded, decimals } = this;
    if (columns === null || from === null) throw validationError('csv', 'The file has no rows below the header.');
    if (daysBetween(from, to) > DAYS_MAX)
      throw validationError('csv', `The rows are from ${from} to ${to}. Export at most ${DAYS_MAX} days at once.`);
    return { ...columns, from, to, rows, sums, hasModels, rounded, decimals };
  }

  private textOf(row: CsvRow, field: ExportField): string {
    const column = this.columns!.columns.get(field);
    return column === undefined ? '' : (row.cells[column.index] ?? '').trim();
  }

  /** The UTC day of a row. A row about more than one day cannot be compared. */
  private dayIn(row: CsvRow): string {
    const start = this.momentIn(row, 'start');
    const day = dayOf(start);
    if (this.textOf(row, 'end') === '') return day;
    const end = this.momentIn(row, 'end');
    if (end < start) throw this.wrongCell(row, 'end', 'is before the start of the row.');
    // The end is exclusive.
    if (end > start && dayOf(end - 1) !== day)
      throw this.wrongCell(row, 'end', 'is on another UTC day than the start. Export daily figures in UTC.');
    return day;
  }

  private momentIn(row: CsvRow, field: 'start' | 'end'): number {
    const ms = parseMoment(this.textOf(row, field));
    if (ms === null) throw this.wrongCell(row, field, 'must be a UTC date such as 2026-07-31.');
    return ms;
  }

  /** Exports have rows without any figures for days without usage. */
  private isIdle(row: CsvRow): boolean {
    const fields = [...this.columns!.measures.values()].flat();
    return [...fields, 'model' as const, 'line_item' as const].every((field) => this.textOf(row, field) === '');
  }

  private checkCurrency(row: CsvRow): void {
    const currency = this.textOf(row, 'currency').toLowerCase();
    if (currency !== '' && currency !== 'usd') throw this.wrongCell(row, 'currency', 'must be USD.');
  }

  /** OpenAI's line items start with the model: `gpt-5-mini-2025-08-07, input`. */
  private modelIn(row: CsvRow): string {
    const model = this.textOf(row, 'model');
    return model === '' ? this.textOf(row, 'line_item').split(',')[0]!.trim() : model;
  }

  private figuresIn(row: CsvRow, { measures }: ExportColumns): Map<Measure, bigint> {
    const figures = new Map<Measure, bigint>();
    for (const [measure, fields] of measures) {
      let sum = 0n;
      for (const field of fields) sum += measure === 'cost' ? this.amountIn(row) : this.countIn(row, field);
      figures.set(measure, sum);
    }
    return figures;
  }

  private checkTotal(row: CsvRow, figures: Figures): void {
    addTo(this.total, figures, 1);
    for (const [measure, sum] of this.total.figures)
      if (measure !== 'cost' && sum > COUNT_MAX) throw wrongRow(row, `makes the sum of ${measure} too large.`);
  }

  private amountIn(row: CsvRow): bigint {
    const amount = parseDecimal(this.textOf(row, 'amount'), NANO_DECIMALS);
    if (amount === null || amount.value > NANOS_MAX || amount.value < -NANOS_MAX)
      throw this.wrongCell(row, 'amount', 'must be an amount in dollars such as 1.25.');
    if (amount.rounded) this.rounded += 1;
    this.decimals = Math.max(this.decimals, amount.decimals);
    return amount.value;
  }

  private countIn(row: CsvRow, field: ExportField): bigint {
    const text = this.textOf(row, field);
    if (text === '') return 0n;
    const count = parseDecimal(text, 0);
    if (count === null || count.rounded || count.value < 0n || count.value > COUNT_MAX)
      throw this.wrongCell(row, field, 'must be a count such as 1200.');
    return count.value;
  }

  private wrongCell(row: CsvRow, field: ExportField, expected: string) {
    const column = this.columns!.columns.get(field);
    const text = this.textOf(row, field);
    const value = text === '' ? 'an empty cell' : `'${shown(text)}'`;
    return wrongRow(row, `has ${value} in the column '${column?.header ?? field}': it ${expected}`);
  }
}

const wrongRow = ({ number }: CsvRow, problem: string) =>
  validationError('csv', `Row ${number} ${problem} Nothing was compared.`);
