import { validationError } from '../../platform/errors/error-factories.js';
import {
  EXPORT_FORMATS,
  FORMATS,
  type ExportField,
  type ExportFormat,
  type FormatSpec,
} from './export-formats.data.js';
import { MEASURES, type FigureField, type Measure } from './measures.data.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';

interface ExportColumn {
  readonly index: number;
  readonly header: string;
}

export interface ExportColumns {
  readonly format: ExportFormat;
  /** The number of columns of the file. */
  readonly width: number;
  readonly columns: ReadonlyMap<ExportField, ExportColumn>;
  /** The figures that the export has, and the columns that they are the sum of. */
  readonly measures: ReadonlyMap<Measure, readonly FigureField[]>;
  /** Headers that are not used. */
  readonly ignored: readonly string[];
}

/** @throws GatewayError `validation_error` that names the missing column and the headers of the file */
export function columnsOf(headers: readonly string[], format: ExportFormat | 'auto'): ExportColumns {
  const names = headers.map(normalized);
  const chosen = format === 'auto' ? detected(names, headers) : format;
  const spec = FORMATS[chosen];
  const missing = missingFields(spec, names)[0];
  if (missing !== undefined) throw wrongHeader(missingText(chosen, missing), headers);
  const columns = new Map(used(spec, names).map(({ field, name }) => [field, columnOf(name, names, headers)]));
  const measures = MEASURES.flatMap((measure): [Measure, FigureField[]][] => {
    const fields = (spec.measures[measure] ?? []).filter((field) => columns.has(field));
    return fields.length === 0 ? [] : [[measure, fields]];
  });
  const indexes = new Set([...columns.values()].map(({ index }) => index));
  const ignored = headers.filter((_, index) => !indexes.has(index)).map(shown);
  return { format: chosen, width: headers.length, columns, measures: new Map(measures), ignored };
}

const normalized = (header: string): string =>
  header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

type Entry = [ExportField, NonNullable<FormatSpec['columns'][ExportField]>];

const entriesOf = ({ columns }: FormatSpec): Entry[] => Object.entries(columns) as Entry[];

function missingFields(spec: FormatSpec, names: readonly string[]): ExportField[] {
  const isMissing = ([, column]: Entry) =>
    column.required === true && !column.names.some((name) => names.includes(name));
  return entriesOf(spec)
    .filter(isMissing)
    .map(([field]) => field);
}

function used(spec: FormatSpec, names: readonly string[]): { field: ExportField; name: string }[] {
  const found = entriesOf(spec).flatMap(([field, column]) => {
    const name = column.names.find((one) => names.includes(one));
    return name === undefined ? [] : [{ field, name, unless: column.unless ?? [] }];
  });
  return found.filter(({ unless }) => !found.some(({ field }) => unless.includes(field)));
}

function columnOf(name: string, names: readonly string[], headers: readonly string[]): ExportColumn {
  const index = names.indexOf(name);
  const header = shown(headers[index]!);
  if (names.lastIndexOf(name) === index) return { index, header };
  throw validationError('csv', `Row 1 has two columns '${header}'. Remove one of them.`);
}

/** The format with all of its required columns and the most headers that only its vendor uses. */
function detected(names: readonly string[], headers: readonly string[]): ExportFormat {
  const fitting = EXPORT_FORMATS.filter((format) => missingFields(FORMATS[format], names).length === 0);
  if (fitting.length === 0)
    throw wrongHeader('The first row is not the header of a cost or usage export of OpenAI or Anthropic.', headers);
  const signsOf = (format: ExportFormat) => FORMATS[format].signs.filter((sign) => names.includes(sign)).length;
  const most = Math.max(...fitting.map(signsOf));
  const best = fitting.filter((format) => signsOf(format) === most);
  if (best.length === 1) return best[0]!;
  throw validationError('format', `The columns fit several formats. Set 'format' to one of: ${best.join(', ')}.`);
}

function missingText(format: ExportFormat, field: ExportField): string {
  const { title, columns } = FORMATS[format];
  return `${title} needs a column with one of these names: ${columns[field]!.names.join(', ')}.`;
}

const HEADERS_SHOWN = 30;

function wrongHeader(problem: string, headers: readonly string[]) {
  const found = headers.slice(0, HEADERS_SHOWN).map(shown).join(', ');
  const more = headers.length > HEADERS_SHOWN ? `, and ${headers.length - HEADERS_SHOWN} more` : '';
  return validationError('csv', `${problem} Found: ${found}${more}.`);
}

/** An exact decimal number, multiplied by a power of ten and rounded half away from zero. */
interface Decimal {
  readonly value: bigint;
  /** Whether digits were lost. */
  readonly rounded: boolean;
  /** The number of decimals as written, without those of an exponent. */
  readonly decimals: number;
}

const DECIMAL = /^([+-]?)\$?(\d{1,15})?(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads `12`, `-0.000125`, `$1.50` or `4.5e-06` without floating-point arithmetic. Separators of thousands are not accepted,
 * because `1,234` is a different number in other languages.
 *
 * @param scale number of decimals to keep: 9 for nano-dollars, 0 for counts
 */
export function parseDecimal(text: string, scale: number): Decimal | null {
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(whole + fraction);
  const shift = scale + Number(exponent) - fraction.length;
  const [value, rounded] = shift >= 0 ? [digits * 10n ** BigInt(shift), false] : dividedByPower(digits, -shift);
  return { value: sign === '-' ? -value : value, rounded, decimals: fraction.length };
}

function dividedByPower(digits: bigint, power: number): [value: bigint, rounded: boolean] {
  const divisor = 10n ** BigInt(power);
  return [(digits + divisor / 2n) / divisor, digits % divisor !== 0n];
}

const EPOCH_SECONDS = /^(\d{9,10})(?:\.0+)?$/;
const EARLIEST_MS = Date.UTC(2015, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Reads a date, an ISO 8601 time (UTC without an offset) or seconds since 1970. @returns milliseconds since 1970, or null */
export function parseMoment(text: string): number | null {
  const trimmed = text.trim();
  const seconds = EPOCH_SECONDS.exec(trimmed)?.[1];
  const iso = trimmed.replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2').replace(/ ?UTC$/, 'Z');
  const ms = seconds === undefined ? parseTimestamp(iso) : Number(seconds) * 1000;
  return ms !== null && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : null;
}

const SHOWN_MAX = 60;

/** Text of a file in a message, without control characters. */
export function shown(text: string): string {
  const clean = text.trim().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean;
}
