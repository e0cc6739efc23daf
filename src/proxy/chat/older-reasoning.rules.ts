import { unsupportedValue } from '../../errors/catalogue.js';
import type { Rule } from '../../validation/rules.decorator.js';

/** The older reasoning family: ids whose last path part is `o1` or begins with `o1-` (D11). */
const OLDER_REASONING = /(?:^|\/)o1(?:-[^/]*)?$/;

interface Sampling {
  readonly model: string;
  readonly temperature?: number | null;
  readonly n?: number | null;
}

/** Those models take no temperature but 1 and give one answer; on chat and emulated completions. `unsupported_value`. */
export const olderReasoningSampling: Rule<Sampling> = ({ model, temperature, n }) => {
  if (!OLDER_REASONING.test(model)) return null;
  if (typeof temperature === 'number' && temperature !== 1) return unsupportedValue('temperature', '1');
  return typeof n === 'number' && n > 1 ? unsupportedValue('n', '1') : null;
};
