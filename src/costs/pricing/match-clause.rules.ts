/** How the price list recognizes a name. Letter case is ignored, except in `regex`. */
export type MatchClause =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly MatchClause[] }
  | { readonly and: readonly MatchClause[] };

export type NameTest = (lowerCaseName: string) => boolean;

/** @throws Error if a regular expression in the clause is not bounded */
export function compileClause(clause: MatchClause): NameTest {
  if ('or' in clause) {
    const tests = clause.or.map(compileClause);
    return (name) => tests.some((test) => test(name));
  }
  if ('and' in clause) {
    const tests = clause.and.map(compileClause);
    return (name) => tests.every((test) => test(name));
  }
  if ('equals' in clause) {
    const text = clause.equals.toLowerCase();
    return (name) => name === text;
  }
  if ('starts_with' in clause) {
    const text = clause.starts_with.toLowerCase();
    return (name) => name.startsWith(text);
  }
  if ('ends_with' in clause) {
    const text = clause.ends_with.toLowerCase();
    return (name) => name.endsWith(text);
  }
  if ('contains' in clause) {
    const text = clause.contains.toLowerCase();
    return (name) => name.includes(text);
  }
  const pattern = compilePattern(clause.regex);
  return (name) => pattern.test(name);
}

/** Returns the names that the clause matches exactly, in lower case. They are looked up without testing each model. */
export function exactNames(clause: MatchClause): string[] {
  if ('or' in clause) return clause.or.flatMap(exactNames);
  return 'equals' in clause ? [clause.equals.toLowerCase()] : [];
}

/** @throws Error if the expression could take more than linear or quadratic time */
export function compilePattern(source: string): RegExp {
  if (!isBounded(source)) throw new Error(`The regular expression ${source} could take exponential time.`);
  return new RegExp(source);
}

/** Each repetition without an upper bound multiplies the time by the length of the name. */
const UNBOUNDED_MAX = 2;
const REPETITION = /[*+]|\{\d+(?:,\d*)?\}/y;

/**
 * Whether an expression needs at most quadratic time. It must not repeat groups or use backreferences, and can have two
 * repetitions without an upper bound. A group can be optional.
 */
export function isBounded(source: string): boolean {
  let unbounded = 0;
  for (let at = 0; at < source.length;) {
    const atom = atomAt(source, at);
    if (atom === null) return false;
    at += atom.length;
    REPETITION.lastIndex = at;
    const repetition = REPETITION.exec(source)?.[0];
    if (repetition === undefined) continue;
    if (atom === ')') return false;
    if (/^[*+]|,\}$/.test(repetition) && ++unbounded > UNBOUNDED_MAX) return false;
    at += repetition.length;
  }
  return true;
}

const ATOM = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|[^\\[]/sy;

/** Returns one character, escape, class or parenthesis. Null for a backreference or a class that does not end. */
function atomAt(source: string, at: number): string | null {
  ATOM.lastIndex = at;
  return ATOM.exec(source)?.[0] ?? null;
}
