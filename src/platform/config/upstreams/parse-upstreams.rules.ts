import { FileFindings } from './file-findings.js';
import {
  checkRepeatedRoutes,
  checkRoute,
  modelRoute,
  type RouteEntry,
  type UpstreamsByName,
} from './route-problems.rules.js';
import { schemaProblems, type FileProblem } from './schema-problems.rules.js';
import { upstreamSpec, type UpstreamEntry } from './upstream-spec.rules.js';
import { FAILOVER_DEADLINE_MS, type ModelRoute, type UpstreamSpec, type UpstreamsFile } from './upstreams-file.js';
import { FileUnusable, type UpstreamsSources } from './file-access.js';
import { ROUTES_MAX, UPSTREAMS_MAX } from './upstreams-schema.data.js';
import { readYaml, type Path, type Place, type SyntaxProblem, type YamlDocument } from './yaml-document.rules.js';

/**
 * An invalid file, with one line for each problem and without secrets. The digest and the files are those of the invalid content.
 */
interface WrongUpstreams {
  readonly problems: readonly string[];
  readonly digest: string;
  readonly files: readonly string[];
}

export type UpstreamsResult = { readonly file: UpstreamsFile } | WrongUpstreams;

const BYTES_MAX = 1_048_576;

export function readUpstreamsFile(sources: UpstreamsSources): UpstreamsResult {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(sources.readFile(sources.path, BYTES_MAX));
  } catch (error) {
    const reason = error instanceof FileUnusable ? error.message : 'is not UTF-8 text';
    const problem =
      `GW_UPSTREAMS names ${JSON.stringify(sources.path.slice(0, 200))}, which ${reason}. ` +
      `Use the path of a readable YAML or JSON file of at most ${BYTES_MAX} bytes.`;
    return { problems: [problem], digest: new FileFindings(sources).digest(problem), files: [] };
  }
  return parseUpstreamsFile(text, sources);
}

/** Reports all problems at once, with their places in the text. */
export function parseUpstreamsFile(text: string, sources: UpstreamsSources): UpstreamsResult {
  const findings = new FileFindings(sources);
  const document = readYaml(text);
  if ('problems' in document)
    return { problems: problemLines(sources.path, document.problems), digest: findings.digest(text), files: [] };
  const { upstreams, routes } = checkedParts(document.value, findings);
  const [digest, files] = [findings.digest(text), [...findings.files]];
  if (findings.problems.length > 0)
    return { problems: problemLines(sources.path, findings.problems, document), digest, files };
  const failoverDeadlineMs = deadlineMsOf(fieldOf(document.value, 'failover_deadline'));
  return { file: { upstreams, routes, failoverDeadlineMs, digest, files, secrets: [...findings.secrets] } };
}

/** Checks all parts that match the schema, even if other parts do not, so that all problems are reported at once. */
function checkedParts(value: unknown, findings: FileFindings) {
  const problems = schemaProblems(value);
  findings.problems.push(...problems);
  const entries = fittingEntries<UpstreamEntry>(value, 'upstreams', problems);
  const specs = listOf(value, 'upstreams').map((given, index) => {
    const entry = entries[index] ?? fittingFields(given, index, problems);
    return entry === null ? null : upstreamSpec(entry, ['upstreams', index], findings);
  });
  const known = namesOf(listOf(value, 'upstreams'), entries, findings);
  const routes = fittingEntries<RouteEntry>(value, 'routes', problems).flatMap(
    (entry, index): [number, ModelRoute][] => (entry === null ? [] : [[index, modelRoute(entry)]]),
  );
  for (const [index, route] of routes) checkRoute(route, ['routes', index], known, findings);
  checkRepeatedRoutes(routes, findings);
  const upstreams: UpstreamSpec[] = specs.filter((spec) => spec !== null);
  return { upstreams, routes: routes.map(([, route]) => route) };
}

function fittingEntries<T>(
  value: unknown,
  list: 'upstreams' | 'routes',
  problems: readonly FileProblem[],
): (T | null)[] {
  const wrong = new Set(problems.filter(({ at }) => at[0] === list).map(({ at }) => Number(at[1])));
  return listOf(value, list).map((entry, index) => (wrong.has(index) ? null : (entry as T)));
}

/** Replaces a name or address that does not match the schema. No other check depends on it. */
const PLACEHOLDER = { name: 'unknown', base_url: 'https://upstream.invalid' };

function fittingFields(entry: unknown, index: number, problems: readonly FileProblem[]): UpstreamEntry | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const wrong = new Set(
    problems.filter(({ at }) => at[0] === 'upstreams' && Number(at[1]) === index).map(({ at }) => at[2]),
  );
  // Models and aliases are checked together.
  if (wrong.has('models') || wrong.has('aliases')) wrong.add('models').add('aliases');
  const fitting = Object.entries(entry).filter(([field]) => !wrong.has(field));
  return { ...PLACEHOLDER, ...(Object.fromEntries(fitting) as Partial<UpstreamEntry>) };
}

function namesOf(
  given: readonly unknown[],
  entries: readonly (UpstreamEntry | null)[],
  findings: FileFindings,
): UpstreamsByName {
  const known = new Map<string, UpstreamEntry | null>();
  const first = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const name: unknown = fieldOf(given[index], 'name');
    if (typeof name !== 'string') continue;
    const earlier = first.get(name);
    if (earlier !== undefined)
      findings.report(
        ['upstreams', index, 'name'],
        `is also the name of upstreams[${earlier}]. Choose another name for one of them.`,
      );
    else known.set(name, entry);
    first.set(name, earlier ?? index);
  }
  return known;
}

/** Ignores surplus entries, which are already reported as a problem. */
function listOf(value: unknown, field: 'upstreams' | 'routes'): readonly unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list.slice(0, field === 'routes' ? ROUTES_MAX : UPSTREAMS_MAX) : [];
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined;

function deadlineMsOf(given: unknown): number {
  if (typeof given === 'number') return given;
  if (typeof given !== 'string') return FAILOVER_DEADLINE_MS;
  return parseInt(given, 10) * (given.endsWith('ms') ? 1 : 1_000);
}

const PROBLEMS_MAX = 20;

/** Returns one line for each problem, in the order of the text. @param document only for problems that have a path */
function problemLines(
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
const LISTS = new Set(['upstreams', 'routes', 'apis', 'models', 'tags', 'failover_statuses']);

const isIndex = (at: Path, depth: number): boolean =>
  LISTS.has(String(at[depth - 1])) && /^\d+$/.test(String(at[depth]));
