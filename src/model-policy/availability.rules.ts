import {
  modelNotAllowed,
  modelNotAvailable,
  notFound,
  type ModelObstacle,
} from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { AVAILABILITIES, type Availability, type ModelFacts, PROVIDER_SLUG } from './registry/model-facts.js';

export type ProbeVerdict = 'callable' | 'listed_unavailable';

export interface ModelState {
  readonly listed: boolean | null;
  readonly facts: ModelFacts | null;
  /** The model policy allows (true) or blocks (false) the model, or has no row for it (undefined). */
  readonly enabled: boolean | undefined;
  readonly probe: ProbeVerdict | undefined;
}

/** If there is a catalog copy, it alone decides, because the registry recognizes whole families by ID prefix. */
export const isKnownModel = ({ listed, facts }: Pick<ModelState, 'listed' | 'facts'>): boolean =>
  listed ?? facts !== null;

/** Returns `gw_availability` (D12). Priority: a failed probe, `registry_broken`, a successful probe, the registry. */
export function availabilityOf({ facts, probe }: Pick<ModelState, 'facts' | 'probe'>): Availability {
  if (probe === 'listed_unavailable') return probe;
  if (facts?.availability === 'registry_broken') return 'registry_broken';
  return probe ?? facts?.availability ?? 'unclassified';
}

/** The availability that clients see. A realtime model cannot be verified over HTTP, regardless of the registry. */
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

/** Whether `GET /v1/models` lists the model, for the keys that can use it (D12). */
export const isListed = ({ enabled }: Pick<ModelState, 'enabled'>): boolean => enabled !== false;

/** Returns the error of `GET /v1/models/{model}` (D31), or null if the key can see the model. */
export function lookupRejection(model: {
  readonly listed: boolean;
  readonly blocked: boolean;
  readonly allowed: boolean;
}): GatewayError | null {
  if (!model.listed) return notFound('Model not found');
  if (model.blocked) return modelNotAvailable('blocked');
  return model.allowed ? null : modelNotAllowed();
}

/** Owners that do not name a provider. */
const GENERIC_OWNERS: ReadonlySet<string> = new Set(['system', 'user', 'organization-owner']);

/**
 * Returns the provider slug (D31) by registry, then ID prefix, then owner; null for a custom model.
 * @param known the provider in the registry
 */
export function providerOf(
  { id, owned_by: owner }: { readonly id: string; readonly owned_by: string | null },
  known: string | null,
): string | null {
  if (known !== null) return known;
  const slash = id.indexOf('/');
  if (slash !== -1 && PROVIDER_SLUG.test(id.slice(0, slash))) return id.slice(0, slash);
  return owner !== null && PROVIDER_SLUG.test(owner) && !GENERIC_OWNERS.has(owner) ? owner : null;
}
