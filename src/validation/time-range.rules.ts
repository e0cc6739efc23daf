import { invalidValue } from '../errors/catalogue.js';
import type { Rule } from './rules.decorator.js';

/** The time `from` may not be after `until`; the same moment is an empty or one-instant range and allowed. */
export const notAfter =
  <From extends string, Until extends string>(
    from: From,
    until: Until,
  ): Rule<Partial<Readonly<Record<From | Until, number>>>> =>
  (query) => {
    const [start, end] = [query[from], query[until]];
    return start !== undefined && end !== undefined && start > end
      ? invalidValue(from, `a time that is not after '${until}'`)
      : null;
  };
