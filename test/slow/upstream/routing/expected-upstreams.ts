import type { Api, RandomRequest, RandomUpstream, Scenario } from './random-configuration.js';

/** An independent and slow reading of the rules, straight from the documentation of `GW_UPSTREAMS`. */
export interface Expected {
  /** The model that each permitted upstream must be sent, including draining ones. */
  readonly permitted: ReadonlyMap<string, string>;
  /** Those that can get the request. */
  readonly open: ReadonlySet<string>;
  readonly outcome: 'refused' | 'draining' | 'served' | 'failed' | 'served or failed';
}

export function expectedOf(scenario: Scenario, request: RandomRequest): Expected {
  const allowed = scenario.keys[request.key]!;
  const allows = (model: string) => allowed === null || allowed.includes(model);
  const permitted = new Map<string, string>();
  for (const upstream of scenario.upstreams) {
    const sent = modelSentTo(scenario, upstream, request.model, request.api);
    if (sent === null || !allows(sent)) continue;
    if (request.nested !== null) {
      // Nested models are not replaced, so an alias cannot be used there.
      if (modelSentTo(scenario, upstream, request.nested, request.api) !== request.nested) continue;
      if (!allows(request.nested)) continue;
    }
    permitted.set(upstream.name, sent);
  }
  const open = scenario.upstreams.filter(({ name, drained }) => permitted.has(name) && !drained);
  return { permitted, open: new Set(open.map(({ name }) => name)), outcome: outcomeOf(permitted.size, open) };
}

function outcomeOf(permitted: number, open: readonly RandomUpstream[]): Expected['outcome'] {
  if (permitted === 0) return 'refused';
  if (open.length === 0) return 'draining';
  if (!open.some(({ fault }) => fault === 'none')) return 'failed';
  return open.some(endsRequest) ? 'served or failed' : 'served';
}

/** The first upstream that answers like this is the last one that is asked. */
function endsRequest({ fault, repeat_sent: repeats }: RandomUpstream): boolean {
  if (fault === 404) return true;
  return (fault === 'reset' || fault === 'hang' || fault === 500) && !repeats;
}

/** Null if the upstream does not serve the name, does not have the API, or the name's route leaves it out. */
function modelSentTo({ routes }: Scenario, upstream: RandomUpstream, name: string, api: Api): string | null {
  if (!upstream.apis.includes(api)) return null;
  const route = routes.find(({ models }) => new RegExp(`^${models.replaceAll('*', '.*')}$`).test(name));
  const inRoute = route?.upstreams.some(
    (member) => (typeof member === 'string' ? member : member.name) === upstream.name,
  );
  if (inRoute === false) return null;
  const alias = upstream.aliases[name];
  if (alias !== undefined) return alias;
  return upstream.models.includes(name) || Object.values(upstream.aliases).includes(name) ? name : null;
}
