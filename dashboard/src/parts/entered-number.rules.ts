/** A number, or the text that was typed if it is not one. An empty text means no number. */
export type Entered = number | string;

const GROUPED = /^\d{1,3}(?:[,_ \u00a0\u202f]\d{3})+$/u;
const SUFFIXED = /^(\d+(?:\.\d+)?) ?([kmb])$/iu;
const PLAIN = /^-?\d+(?:\.\d+)?(?:e\+?\d{1,2})?$/iu;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** Reads `5000000`, `5,000,000`, `5M` and `5e6`. Ambiguous text such as `1,5` stays text, so that it never becomes another number. */
export function readNumber(typed: string): Entered {
  const text = typed.trim();
  if (GROUPED.test(text)) return Number(text.replace(/\D/gu, ''));
  const [, amount, suffix] = SUFFIXED.exec(text) ?? [];
  if (amount !== undefined && suffix !== undefined)
    return Math.round(Number(amount) * FACTORS[suffix.toLowerCase()]! * 1e6) / 1e6;
  return PLAIN.test(text) ? Number(text) : text;
}

/** Returns a message for a value that is not a whole number of at least 0. An empty value has no problem. */
export function wholeNumberProblem(value: Entered): string | null {
  if (value === '' || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return null;
  return 'Enter a whole number, such as 5000000 or 5M.';
}

/** Like `wholeNumberProblem`, for numbers with decimals. */
export function decimalProblem(value: Entered): string | null {
  if (value === '' || (typeof value === 'number' && value >= 0)) return null;
  return 'Enter a number, such as 0.1.';
}
