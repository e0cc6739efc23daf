import { modelNotAllowed, modelNotAvailable, notFound, type ModelObstacle } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { AVAILABILITIES, type Availability, type ModelFacts, PROVIDER_SLUG } from './registry/model-facts.js';
import type { CatalogModel } from './parse-catalog.js';

/** What a live probe said last (D12). */
export type ProbeVerdict = 'callable' | 'listed_unavailable';

/** All that decides whether a model is routed. */
export interface ModelState {
  /** In the catalog; null: there is no copy of it at all. */
  readonly listed: boolean | null;
  /** The registry's; null: it does not know the model. */
  readonly facts: ModelFacts | null;
  /** Of the policy row: true allows, false blocks, undefined: there is none. */
  readonly enabled: boolean | undefined;
  /** undefined: never probed. */
  readonly probe: ProbeVerdict | undefined;
}

/**
 * Whether a model exists. The catalog decides alone once there is a copy of it: the registry recognizes whole families by
 * the start of their IDs.
 */
export const isKnownModel = ({ listed, facts }: Pick<ModelState, 'listed' | 'facts'>): boolean =>
  listed ?? facts !== null;

/** `gw_availability` (D12): a failed probe tells most, then what the operators wrote down, then a probe that passed. */
export function availabilityOf({ facts, probe }: Pick<ModelState, 'facts' | 'probe'>): Availability {
  if (probe === 'listed_unavailable') return probe;
  if (facts?.availability === 'registry_broken') return 'registry_broken';
  return probe ?? facts?.availability ?? 'unclassified';
}

/** The same as clients see it: a realtime model cannot be verified over HTTP, whatever the registry says. */
export function shownAvailability(state: Pick<ModelState, 'facts' | 'probe'>): Availability {
  return state.facts?.category === 'realtime' ? 'unclassified' : availabilityOf(state);
}

/** As operators see it: the two at the end are of models that have a policy row and are not in the catalog. */
export const ALLOWLIST_AVAILABILITIES = [...AVAILABILITIES, 'allowlist_only', 'allowlist_unverified'] as const;
export type AllowlistAvailability = Availability | 'allowlist_only' | 'allowlist_unverified';

/** @param unconfirmed what the upstream lists now is not known */
export function allowlistAvailability(
  state: Pick<ModelState, 'facts' | 'probe'>,
  inCatalog: boolean,
  unconfirmed: boolean,
): AllowlistAvailability {
  if (inCatalog) return shownAvailability(state);
  return unconfirmed ? 'allowlist_unverified' : 'allowlist_only';
}

/** Why requests for the model do not go upstream, key and route aside; null: they do. */
export function obstacleOf(state: ModelState): ModelObstacle | null {
  const { listed, facts, enabled } = state;
  if (enabled === false) return 'blocked';
  if (listed === false) return 'not_listed';
  // Without a copy of the catalog only what somebody here vouches for is routed.
  if (listed === null && facts === null && enabled === undefined) return 'not_confirmed';
  const availability = availabilityOf(state);
  switch (availability) {
    case 'listed_unavailable':
      return 'not_answering';
    case 'registry_broken':
      return enabled === true ? null : 'broken';
    case 'callable':
    case 'unclassified':
      return null;
    default:
      return availability satisfies never;
  }
}

/**
 * Why `GET /v1/models/{model}` shows a key no such model (D31): first that the upstream does not list it, then that it is
 * blocked, then that it is not on the key's list; null: it does.
 */
export function lookupRefusal(model: {
  readonly listed: boolean;
  readonly blocked: boolean;
  readonly allowed: boolean;
}): GatewayError | null {
  if (!model.listed) return notFound('Model not found');
  if (model.blocked) return modelNotAvailable('blocked');
  return model.allowed ? null : modelNotAllowed();
}

/** Owners that stand for nobody in particular. */
const NOBODY: ReadonlySet<string> = new Set(['system', 'user', 'organization-owner']);

/** D31: the registry's word, else the slug before the id's slash, else the owner; null: a custom model. */
export function providerOf(
  { id, owned_by: owner }: Pick<CatalogModel, 'id' | 'owned_by'>,
  known: string | null,
): string | null {
  if (known !== null) return known;
  const slash = id.indexOf('/');
  if (slash !== -1 && PROVIDER_SLUG.test(id.slice(0, slash))) return id.slice(0, slash);
  return PROVIDER_SLUG.test(owner) && !NOBODY.has(owner) ? owner : null;
}
