import type { DeclaredRoute } from '../../platform/routes/declared-routes.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';

const PARAMETER = /^\{\w+\}$/;

interface PostRoute {
  /** Null for a parameter. */
  readonly segments: readonly (string | null)[];
  readonly spec: GatewayRouteSpec;
}

/** Finds routes by a path that a file names, as tolerantly as a provider could. */
export class PostRoutes {
  private readonly byLength = new Map<number, PostRoute[]>();

  constructor(routes: readonly DeclaredRoute[]) {
    for (const { method, spec } of routes) {
      if (method !== 'POST' || spec?.kind !== 'gateway') continue;
      const segments = segmentsOf(spec.endpoint).map((segment) => (PARAMETER.test(segment) ? null : segment));
      const same = this.byLength.get(segments.length);
      if (same === undefined) this.byLength.set(segments.length, [{ segments, spec }]);
      else same.push({ segments, spec });
    }
  }

  /**
   * Returns the routes that the path can reach. A provider might ignore case, empty segments, or dots at the end of a segment.
   * @param path without a query
   */
  reachedBy(path: string): readonly GatewayRouteSpec[] {
    const wanted = segmentsOf(path.toLowerCase()).map((segment) => segment.replace(/\.+$/, ''));
    const reached: GatewayRouteSpec[] = [];
    for (const { segments, spec } of this.byLength.get(wanted.length) ?? [])
      if (segments.every((segment, at) => segment === null || segment === wanted[at])) reached.push(spec);
    return reached;
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
