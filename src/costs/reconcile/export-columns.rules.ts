import { validationError } from '../../errors/error-factories.js';
import { shown } from './export-cells.rules.js';
import {
  EXPORT_FORMATS,
  FORMATS,
  type ExportField,
  type ExportFormat,
  type FormatSpec,
} from './export-formats.data.js';
import { MEASURES, type FigureField, type Measure } from './measures.data.js';

interface ExportColumn {
  readonly index: number;
  /** As in the file. */
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
