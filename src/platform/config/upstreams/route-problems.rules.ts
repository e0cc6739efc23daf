import type { FileFindings } from './file-findings.js';
import { nearestName } from './nearest-name.rules.js';
import type { UpstreamEntry } from './upstream-spec.rules.js';
import { FROM_CATALOG, STICKY, type ModelRoute } from './upstreams-file.js';
import type { Path } from './yaml-document.rules.js';

/** An entry of `routes` that matches the schema. */
export interface RouteEntry {
  readonly models: string;
  readonly upstreams: readonly (string | { readonly name: string; readonly weight?: number })[];
  readonly sticky?: ModelRoute['sticky'];
  readonly strategy?: ModelRoute['strategy'];
  readonly fallbacks?: ModelRoute['fallbacks'];
}

/** The upstreams by name. An entry that does not match the schema is null, and is assumed to serve any model. */
export type UpstreamsByName = ReadonlyMap<string, UpstreamEntry | null>;

export function modelRoute(entry: RouteEntry): ModelRoute {
  const { models, upstreams: given, sticky = STICKY[0], strategy, fallbacks = {} } = entry;
  const upstreams = given.map((field) =>
    typeof field === 'string' ? { name: field, weight: null } : { name: field.name, weight: field.weight ?? null },
  );
  const usual = upstreams.some(({ weight }) => weight !== null) ? 'weight' : 'order';
  return { models, upstreams, sticky, strategy: strategy ?? usual, fallbacks };
}

/** Checks what the schema cannot express. */
export function checkRoute(
  { models, upstreams, sticky, strategy, fallbacks }: ModelRoute,
  at: Path,
  known: UpstreamsByName,
  findings: FileFindings,
) {
  const names = upstreams.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const place = [...at, 'upstreams', index];
    if (!known.has(name)) findings.report(place, `names ${name}, which is not an upstream. ${suggestion(name, known)}`);
    else if (names.indexOf(name) < index) findings.report(place, 'is listed twice. Remove one of them.');
  }
  const weighted = upstreams.filter(({ weight }) => weight !== null);
  if (weighted.length > 0 && weighted.length < upstreams.length)
    findings.report([...at, 'upstreams'], 'has weights for only some upstreams. Set all weights, or none.');
  if (strategy === 'weight' && weighted.length === 0)
    findings.report([...at, 'strategy'], 'is weight, but no upstream has a weight. Set all weights, or remove it.');
  if (strategy !== 'weight' && weighted.length > 0)
    findings.report(
      [...at, 'strategy'],
      `is ${strategy}, which ignores the weights. Remove the weights, or use weight.`,
    );
  if (isRanking(strategy) && sticky !== 'none')
    findings.report([...at, 'sticky'], `cannot be combined with the strategy ${strategy}. Remove one of them.`);
  for (const [reason, model] of Object.entries(fallbacks)) {
    const place = [...at, 'fallbacks', reason];
    if (model === models) findings.report(place, 'is the model of the route. Use another model.');
    else if ([...known.keys()].every((name) => !canServe(known, name, model)))
      findings.report(
        place,
        'is a model that no upstream has. Add it to models or aliases of one of them, or correct it.',
      );
  }
  if (!models.includes('*') && names.every((name) => !canServe(known, name, models)))
    findings.report(
      [...at, 'models'],
      'is a model that no upstream of this route has. Add it to models or aliases of one of them, or correct the route.',
    );
}

const isRanking = (strategy: ModelRoute['strategy']): boolean => strategy === 'latency' || strategy === 'price';

export function checkRepeatedRoutes(routes: readonly (readonly [number, ModelRoute])[], findings: FileFindings): void {
  const first = new Map<string, number>();
  for (const [index, { models }] of routes) {
    const earlier = first.get(models);
    if (earlier === undefined) first.set(models, index);
    else
      findings.report(
        ['routes', index, 'models'],
        `is the same as in routes[${earlier}], so this route is never used. Remove one of them.`,
      );
  }
}

function suggestion(name: string, known: UpstreamsByName): string {
  const nearest = nearestName(name, [...known.keys()]);
  return nearest === null ? 'Use the name of an upstream in this file.' : `Did you mean ${nearest}?`;
}

function canServe(known: UpstreamsByName, name: string, model: string): boolean {
  const entry = known.get(name);
  if (entry === undefined || entry === null) return true;
  const { models = FROM_CATALOG, aliases = {} } = entry;
  return (
    models === FROM_CATALOG ||
    models.includes(model) ||
    Object.hasOwn(aliases, model) ||
    Object.values(aliases).includes(model)
  );
}
