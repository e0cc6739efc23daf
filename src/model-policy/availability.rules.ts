import { modelNotAllowed, modelNotAvailable, notFound, type ModelObstacle } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { AVAILABILITIES, type Availability, type ModelFacts, PROVIDER_SLUG } from './registry/model-facts.js';
import type { CatalogModel } from './parse-catalog.js';

export type ProbeVerdict = 'callable' | 'listed_unavailable';

export interface ModelState {
  /** Whether the catalog lists the model; null if there is no copy of the catalog. */
  readonly listed: boolean | null;
  readonly facts: ModelFacts | null;
  /** From the model policy: true allows, false blocks. undefined without a policy row. */
  readonly enabled: boolean | undefined;
  readonly probe: ProbeVerdict | undefined;
}

/**
 * Returns whether a model exists. If there is a copy of the catalog, it alone decides, because the registry recognizes whole
 * families by the prefix of their IDs.
 */
export const isKnownModel = ({ listed, facts }: Pick<ModelState, 'listed' | 'facts'>): boolean =>
  listed ?? facts !== null;

/** Returns `gw_availability` (D12). Priority: a failed probe, `registry_broken`, a successful probe, the registry. */
export function availabilityOf({ facts, probe }: Pick<ModelState, 'facts' | 'probe'>): Availability {
  if (probe === 'listed_unavailable') return probe;
  if (facts?.availability === 'registry_broken') return 'registry_broken';
  return probe ?? facts?.availability ?? 'unclassified';
}

/** Returns the availability that clients see. A realtime model cannot be verified over HTTP, whatever the registry says. */
export function shownAvailability(state: Pick<ModelState, 'facts' | 'probe'>): Availability {
  return state.facts?.category === 'realtime' ? 'unclassified' : availabilityOf(state);
}

/** The values that operators see. The last two are for models that have a policy row but are not in the catalog. */
export const ALLOWLIST_AVAILABILITIES = [...AVAILABILITIES, 'allowlist_only', 'allowlist_unverified'] as const;
export type AllowlistAvailability = Availability | 'allowlist_only' | 'allowlist_unverified';

/** @param unconfirmed true if the upstream's current list is unknown */
export function allowlistAvailability(
  state: Pick<ModelState, 'facts' | 'probe'>,
  inCatalog: boolean,
  unconfirmed: boolean,
): AllowlistAvailability {
  if (inCatalog) return shownAvailability(state);
  return unconfirmed ? 'allowlist_unverified' : 'allowlist_only';
}

/** Returns the reason why the model is not routed for any key or route, or null if it is routed. */
export function obstacleOf(state: ModelState): ModelObstacle | null {
  const { listed, facts, enabled } = state;
  if (enabled === false) return 'blocked';
  if (listed === false) return 'not_listed';
  // Without a catalog, only models of the registry or with an allow entry are routed.
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
 * Returns the error of `GET /v1/models/{model}` (D31), or null if the key can see the model. An unlisted model has priority
 * over a blocked one, and a blocked one over a model that the key must not use.
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

/** Values of `owned_by` that do not name a provider. */
const GENERIC_OWNERS: ReadonlySet<string> = new Set(['system', 'user', 'organization-owner']);

/**
 * Returns the provider slug of a model (D31): from the registry, otherwise the ID's prefix, otherwise the owner.
 * @returns null for a custom model
 */
export function providerOf(
  { id, owned_by: owner }: Pick<CatalogModel, 'id' | 'owned_by'>,
  known: string | null,
): string | null {
  if (known !== null) return known;
  const slash = id.indexOf('/');
  if (slash !== -1 && PROVIDER_SLUG.test(id.slice(0, slash))) return id.slice(0, slash);
  return PROVIDER_SLUG.test(owner) && !GENERIC_OWNERS.has(owner) ? owner : null;
}
