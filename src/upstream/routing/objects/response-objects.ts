import type { RequestContext } from '../../../platform/request-context/request-context.js';
import type { GatewayRouteSpec } from '../../../platform/routes/route-spec.js';
import { createsObject, deletedObject, expiresOf, marksOf } from './created-objects.rules.js';
import { ObjectCapture } from './object-capture.js';
import type { ObjectOwners } from './object-owners.service.js';

/** The objects that a request names. */
export interface NamedObjects {
  /** In the order of `objectsNamedBy`. */
  readonly ids: readonly string[];
  /** The path names the first one, so the provider returns 404 if it does not have that object. */
  readonly inPath: boolean;
  readonly pathIds: readonly string[];
}

/** The objects that a successful response creates or deletes. */
export interface ResponseObjects {
  /** Call it for each 2xx response. @returns null if the body need not be read */
  succeeded(upstream: string): ObjectCapture | null;
}

/** Null if the response changes nothing. @param ownerUnknown the response shows which upstream has the object in the path */
export function responseObjects(
  { method, body }: RequestContext,
  { endpoint }: GatewayRouteSpec,
  { named, ownerUnknown, owners }: { named: NamedObjects; ownerUnknown: boolean; owners: ObjectOwners },
): ResponseObjects | null {
  const creates = createsObject(method, endpoint, body.json);
  const deleted = deletedObject(method, endpoint, named.pathIds);
  // The owner of the object in the path is unknown, so the upstream that serves the request becomes its owner.
  const learns = ownerUnknown && named.inPath && deleted === null;
  if (!creates && deleted === null && !learns) return null;
  return {
    succeeded: (upstream) => {
      if (deleted !== null) owners.forget(deleted);
      if (learns) void owners.record([named.ids[0]!], upstream, expiresOf(endpoint));
      return creates
        ? new ObjectCapture(owners, upstream, { expires: expiresOf(endpoint), marks: marksOf(endpoint) })
        : null;
    },
  };
}
