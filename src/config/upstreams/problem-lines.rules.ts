import type { FileProblem } from './schema-problems.rules.js';
import type { Path, Place, SyntaxProblem, YamlDocument } from './yaml-document.rules.js';

const PROBLEMS_MAX = 20;

/** Returns one line for each problem, in the order of the text. @param document only for problems that have a path */
export function problemLines(
  file: string,
  problems: readonly (FileProblem | SyntaxProblem)[],
  document?: YamlDocument,
): string[] {
  const placed = problems.map((problem) => {
    if (!('at' in problem)) return problem;
    const place: Place = document?.placeOf(problem.at, problem.part) ?? { line: 1, column: 1 };
    return { ...place, text: `${labelOf(problem)} ${problem.text}` };
  });
  const lines = placed
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`);
  const distinct = [...new Set(lines)];
  const rest = distinct.length - PROBLEMS_MAX;
  return rest > 0
    ? [...distinct.slice(0, PROBLEMS_MAX), `${file}: and ${rest} more ${rest === 1 ? 'problem' : 'problems'}.`]
    : distinct;
}

/** Formats the path of a problem, such as `upstreams[1].base_url:`. */
function labelOf({ at, nameHidden }: FileProblem): string {
  if (at.length === 0) return 'The file';
  const steps = at.map((step, depth) => {
    if (isIndex(at, depth)) return `[${step}]`;
    if (nameHidden === true && depth === at.length - 1) return '[…]';
    const name = String(step);
    if (!PLAIN_NAME.test(name)) return `[${JSON.stringify(name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100))}]`;
    return depth === 0 ? name : `.${name}`;
  });
  return `${steps.join('')}:`;
}

const PLAIN_NAME = /^[$A-Za-z0-9][\w-]{0,99}$/;

/** A numeric step inside these lists is an index, not the name of a field. */
const LISTS = new Set(['upstreams', 'routes', 'apis', 'models', 'tags']);

const isIndex = (at: Path, depth: number): boolean =>
  LISTS.has(String(at[depth - 1])) && /^\d+$/.test(String(at[depth]));
