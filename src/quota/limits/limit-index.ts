import { LruCache } from '../../platform/fairness/lru-cache.js';
import type { KeySnapshot } from '../../platform/request-context/key-snapshot.js';
import { matchesPattern } from '../../platform/validation/model-pattern.rules.js';
import type { ActiveLimit } from './limit.js';
import { LIMIT_PERIODS } from './limit-terms.data.js';
import type { LimitSetChanges } from './stores/limit-set.store.js';

const KEYS_MAX = 10_000;
const NONE: readonly ActiveLimit[] = [];
const NOTHING = { limits: NONE, anyModel: true } as const;

interface Found {
  readonly keyVersion: number;
  readonly limits: readonly ActiveLimit[];
  readonly anyModel: boolean;
}

/** Finds the limits of a key. The result stays cached until the key or the set changes. */
export class LimitIndex {
  private appliedVersion = -1;
  private limits = new Map<number, ActiveLimit>();
  private teamTags: ReadonlyMap<string, readonly string[]> = new Map();
  /** Limits by the key that `placeOf` returns. */
  private readonly places = new Map<string, Set<ActiveLimit>>();
  private readonly found = new LruCache<string, Found>(KEYS_MAX);

  /** -1 until the first `apply`. */
  get version(): number {
    return this.appliedVersion;
  }

  get size(): number {
    return this.limits.size;
  }

  get isEmpty(): boolean {
    return this.limits.size === 0;
  }

  get all(): Iterable<ActiveLimit> {
    return this.limits.values();
  }

  byId(id: number): ActiveLimit | undefined {
    return this.limits.get(id);
  }

  apply({ version, complete, changed, removed, teamTags }: LimitSetChanges): void {
    if (complete) {
      this.limits.clear();
      this.places.clear();
    }
    for (const id of removed) this.remove(id);
    for (const limit of changed) {
      this.remove(limit.id);
      this.limits.set(limit.id, limit);
      const place = placeOf(limit.scope, limit.scopeId ?? limit.scopeTag);
      const there = this.places.get(place);
      if (there === undefined) this.places.set(place, new Set([limit]));
      else there.add(limit);
    }
    this.teamTags = teamTags;
    this.found.clear();
    this.appliedVersion = version;
  }

  /**
   * The limits that apply to a request. Those of the key come first, then those of its tags, its team and the account. In each
   * group, the longest period comes first. A rejection names the first limit that does not fit.
   * @param namesOf returns the models of the request, or null if it can use any; called only if a limit has patterns
   */
  of(key: KeySnapshot, namesOf: () => Iterable<string> | null): readonly ActiveLimit[] {
    const { limits, anyModel } = this.find(key);
    if (anyModel) return limits;
    const given = namesOf();
    if (given === null) return limits;
    const names = Array.from(given, (name) => name.toLowerCase());
    const matchesOne = (pattern: string) => names.some((name) => matchesPattern(pattern, name));
    return limits.filter(({ models }) => models === null || models.some(matchesOne));
  }

  /** Returns the same as `of`, for any model. */
  allOf(key: KeySnapshot): readonly ActiveLimit[] {
    return this.find(key).limits;
  }

  private find(key: KeySnapshot): Pick<Found, 'limits' | 'anyModel'> {
    if (this.isEmpty) return NOTHING;
    let found = this.found.get(key.id);
    if (found === undefined || found.keyVersion !== key.version) {
      const limits = this.ofKey(key);
      found = { keyVersion: key.version, limits, anyModel: limits.every(({ models }) => models === null) };
      this.found.set(key.id, found);
    }
    return found;
  }

  private ofKey({ id, teamId, tags }: KeySnapshot): readonly ActiveLimit[] {
    const teamTags = teamId === null ? undefined : this.teamTags.get(teamId);
    const allTags = new Set(teamTags === undefined ? tags : [...tags, ...teamTags]);
    const places = [
      placeOf('key', id),
      ...[...allTags].map((tag) => placeOf('tag', tag)),
      ...(teamId === null ? [] : [placeOf('team', teamId)]),
      placeOf('account', null),
    ];
    const limits = places.flatMap((place) => [...(this.places.get(place) ?? [])]);
    return limits.length === 0 ? NONE : limits.sort(inOrder);
  }

  private remove(id: number): void {
    const limit = this.limits.get(id);
    if (limit === undefined) return;
    this.limits.delete(id);
    const place = placeOf(limit.scope, limit.scopeId ?? limit.scopeTag);
    const there = this.places.get(place);
    there?.delete(limit);
    if (there?.size === 0) this.places.delete(place);
  }
}

const placeOf = (scope: ActiveLimit['scope'], target: string | null): string => `${scope} ${target}`;

const SCOPE_ORDER = { key: 0, tag: 1, team: 2, account: 3 } as const;

const inOrder = (a: ActiveLimit, b: ActiveLimit): number =>
  SCOPE_ORDER[a.scope] - SCOPE_ORDER[b.scope] ||
  LIMIT_PERIODS.indexOf(b.period) - LIMIT_PERIODS.indexOf(a.period) ||
  a.id - b.id;
