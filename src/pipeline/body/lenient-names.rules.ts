import { percentDecoded } from '../../routes/parameter-name.rules.js';
import { FALLBACKS } from '../../json/named-models.js';

/** Fields of a form and parameters of a query that choose the model, where a provider takes them. */
export const CHOOSING_NAMES: ReadonlySet<string> = new Set(['model', 'models', ...FALLBACKS]);

/** From the first letter, digit or underscore to the last; linear, however long the blanks about them are. */
const TRIMMED = /\w.*\w|\w/s;

/**
 * The name of a field or parameter as the most lenient reader has it (D29): some frameworks decode names, trim them of blanks,
 * NULs and single quotes, end them at a NUL, take brackets for a list (`model[]`), or do not heed case.
 */
export function lenientName(name: string): string {
  const trimmed = TRIMMED.exec(percentDecoded(name))?.[0] ?? '';
  return trimmed.replace(/[[\0].*$/s, '').toLowerCase();
}
