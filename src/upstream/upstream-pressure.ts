import { LruCache } from '../platform/fairness/lru-cache.js';
import { Pause, type PauseGrowth } from './pause.js';
import { remainingShare, type Headers, type Limit } from './rate-limit-headers.rules.js';
import type { RequestKind } from './request-kind.rules.js';

/** An account with more models than this forgets the least recently used ones. */
const MODELS_MAX = 1_000;
/** The status of a model is forgotten if no request has tested it for this long after its pause. */
const STALE_MS = 10 * 60_000;

const LIMITED: PauseGrowth = { firstMs: 1_000, factor: 4, maxMs: 45_000 };
/** Shorter than a minute, so that an upstream that recovers has its share back within a minute. */
const REFUSED: PauseGrowth = { firstMs: 10_000, factor: 2, maxMs: 45_000 };
const FAILING = REFUSED;

/** The share after a successful test. Each success doubles it. A credential that works again is used at once. */
const SHARE_AFTER = { limited: 0.2, failing: 0.5 } as const;

/** The weight of the last response in the failure rate. Two failures in a row exceed `FAILING_RATE`, and one does not. */
const LAST_WEIGHT = 0.3;
const FAILING_RATE = 0.5;
/** The pauses do not become shorter before the failure rate is below this. */
const HEALTHY_RATE = 0.1;

/** The subject of a refusal: the whole account, its requests of one kind, or one model. */
export type RefusalScope = 'account' | 'kind' | 'model';

/** From good to bad. `limited` is only a smaller share. */
export type PressureStatus = 'ready' | 'limited' | 'refused' | 'failing';

/** A request as the pauses see it. */
export interface PressedRequest {
  /** Empty if it names none. */
  readonly model: string;
  readonly kind: RequestKind;
  /** By the clock of `UpstreamPressure`. Default: now. */
  readonly sentAtMs?: number;
}

interface ModelPressure {
  share: number;
  failureRate: number;
  readonly limits: Map<Limit, Pause>;
  refused: Pause | null;
  failing: Pause | null;
}

/**
 * Computes the share of its requests that an upstream should get. Rejections, failures and rate limits that run out reduce it, and
 * successes restore it. A share only orders the candidates of a request: an upstream without a share is still used if no other can
 * serve the request.
 */
export class UpstreamPressure {
  private readonly account: Pause;
  /** For each kind of request: no credit, or no permission. */
  private readonly kinds = new Map<RequestKind, Pause>();
  private readonly models = new LruCache<string, ModelPressure>(MODELS_MAX);

  /** @param now the clock, in milliseconds */
  constructor(readonly now: () => number = () => performance.now()) {
    this.account = new Pause(REFUSED, now);
  }

  /** @returns 0 to 1, and 1 for an unknown model. It is 1 if the request should test whether a pause can end */
  shareOf(model: string, kind: RequestKind): number {
    if (this.account.isBlocking || this.kinds.get(kind)?.isBlocking === true) return 0;
    const pressure = this.models.get(keyOf(model, kind));
    return pressure === undefined ? 1 : shareOf(pressure);
  }

  /** Why the upstream should not get a request, for requests that no upstream should get. */
  statusOf(model: string, kind: RequestKind): PressureStatus {
    if (this.account.isActive() || this.kinds.get(kind)?.isActive() === true) return 'refused';
    const pressure = this.models.get(keyOf(model, kind));
    return pressure === undefined ? 'ready' : statusOf(pressure);
  }

  /** The lowest share of all models, for operators. */
  get lowestShare(): number {
    const all = [this.account, ...this.kinds.values()];
    if (all.some((pause) => pause.isActive())) return 0;
    let lowest = 1;
    for (const pressure of this.models.values())
      lowest = Math.min(lowest, isUnavailable(pressure) ? 0 : shareOf(pressure));
    return lowest;
  }

  /** The worst status of the account and its models. `refused` is worse than `failing`, because an operator must act. */
  get status(): PressureStatus {
    if (this.isAccountRefused) return 'refused';
    const all = [...this.models.values()].map((pressure) => statusOf(pressure));
    return (['refused', 'failing', 'limited'] as const).find((status) => all.includes(status)) ?? 'ready';
  }

  /** The provider rejects the credential, or all requests of a kind, regardless of the model. */
  get isAccountRefused(): boolean {
    return this.account.isActive() || [...this.kinds.values()].some((pause) => pause.isActive());
  }

  /** Call it for each request that is sent, because it can be the test that ends a pause. */
  onSent({ model, kind }: PressedRequest): void {
    for (const pause of this.pausesOf(model, kind)) pause.sent();
  }

  /** The upstream processed a request, or rejected it because of its content. `headers` can announce that a limit runs out. */
  onResponse({ model, kind, sentAtMs }: PressedRequest, headers: Headers): void {
    for (const pause of [this.account, this.kinds.get(kind)]) if (pause?.end(sentAtMs) === true) pause.forgetLength();
    const remaining = remainingShare(headers);
    const key = keyOf(model, kind);
    const known = this.models.get(key);
    if (known === undefined && remaining === 1) return;
    const pressure = known ?? this.add(key);
    const tested = endPauses(pressure, sentAtMs);
    pressure.failureRate *= 1 - LAST_WEIGHT;
    if (pressure.failureRate < HEALTHY_RATE) pressure.failing?.forgetLength();
    pressure.share = Math.min(remaining, tested ?? Math.min(1, pressure.share * 2));
    if (isForgettable(pressure)) this.models.delete(key);
  }

  /**
   * A rate limit or an overload rejected the request.
   * @param askedMs the pause that the provider asks for; null if it names none
   */
  onRejected({ model, kind, sentAtMs }: PressedRequest, askedMs: number | null, limit: Limit = 'requests'): void {
    const pressure = this.pressureOf(model, kind);
    const pause = pressure.limits.get(limit) ?? new Pause(LIMITED, this.now);
    pressure.limits.set(limit, pause);
    pause.begin(askedMs, sentAtMs);
    pressure.share = Math.min(pressure.share, SHARE_AFTER.limited);
  }

  /** The provider rejected the account or the model, and has not processed the request. */
  onRefused({ model, kind, sentAtMs }: PressedRequest, scope: RefusalScope): void {
    this.refusalOf(model, kind, scope).begin(null, sentAtMs);
  }

  /** The upstream accepted a request, and did not serve it. Two failures in a row, or half of the last ones, begin a pause. */
  onFailed({ model, kind, sentAtMs }: PressedRequest): void {
    const pressure = this.pressureOf(model, kind);
    pressure.failureRate += (1 - pressure.failureRate) * LAST_WEIGHT;
    const isTest = pressure.failing?.isActive() === true;
    if (pressure.failureRate <= FAILING_RATE && !isTest) return;
    pressure.failing ??= new Pause(FAILING, this.now);
    pressure.failing.begin(null, sentAtMs);
    pressure.share = Math.min(pressure.share, SHARE_AFTER.failing);
  }

  /** A response that `onResponse` counted as a success broke off. */
  onBroken(request: PressedRequest): void {
    const pressure = this.models.get(keyOf(request.model, request.kind));
    if (pressure !== undefined) pressure.failureRate = Math.min(1, pressure.failureRate / (1 - LAST_WEIGHT));
    this.onFailed(request);
  }

  /** A request ended without showing whether the upstream works. */
  onUnknown({ model, kind }: PressedRequest): void {
    for (const pause of this.pausesOf(model, kind)) pause.retest();
  }

  /** The provider accepted the credential when the gateway used it itself. */
  onAccountAccepted(): void {
    this.account.end();
    this.account.forgetLength();
  }

  private pausesOf(model: string, kind: RequestKind): readonly Pause[] {
    const pressure = this.models.get(keyOf(model, kind));
    const own = pressure === undefined ? [] : [pressure.refused, pressure.failing, ...pressure.limits.values()];
    return [this.account, this.kinds.get(kind), ...own].filter((pause) => pause !== undefined && pause !== null);
  }

  private refusalOf(model: string, kind: RequestKind, scope: RefusalScope): Pause {
    switch (scope) {
      case 'account':
        return this.account;
      case 'kind': {
        const known = this.kinds.get(kind) ?? new Pause(REFUSED, this.now);
        this.kinds.set(kind, known);
        return known;
      }
      case 'model':
        return (this.pressureOf(model, kind).refused ??= new Pause(REFUSED, this.now));
      default:
        return scope satisfies never;
    }
  }

  private pressureOf(model: string, kind: RequestKind): ModelPressure {
    const key = keyOf(model, kind);
    return this.models.get(key) ?? this.add(key);
  }

  private add(key: string): ModelPressure {
    const pressure: ModelPressure = { share: 1, failureRate: 0, limits: new Map(), refused: null, failing: null };
    this.models.set(key, pressure);
    return pressure;
  }
}

const keyOf = (model: string, kind: RequestKind): string => (kind === 'inference' ? model : `${kind}\0${model}`);

function shareOf({ share, limits, refused, failing }: ModelPressure): number {
  if (refused?.isBlocking === true || failing?.isBlocking === true) return 0;
  let isTest = refused?.isActive() === true || failing?.isActive() === true;
  for (const limit of limits.values()) {
    if (limit.isBlocking) return 0;
    isTest ||= limit.isActive();
  }
  return isTest ? 1 : share;
}

function statusOf({ share, limits, refused, failing }: ModelPressure): PressureStatus {
  if (refused?.isActive(STALE_MS) === true) return 'refused';
  if (failing?.isActive(STALE_MS) === true) return 'failing';
  return share < 1 || [...limits.values()].some((limit) => limit.isActive(STALE_MS)) ? 'limited' : 'ready';
}

/** A model that waits for a test has no share yet, although the next request can be its test. */
const isUnavailable = (pressure: ModelPressure): boolean =>
  pressure.refused?.isActive(STALE_MS) === true ||
  pressure.failing?.isActive(STALE_MS) === true ||
  [...pressure.limits.values()].some((limit) => limit.isActive(STALE_MS));

/** @returns the share after a successful test, or null if no pause has ended */
function endPauses({ limits, refused, failing }: ModelPressure, sentAtMs: number | undefined): number | null {
  if (refused?.end(sentAtMs) === true) refused.forgetLength();
  let share: number | null = failing?.end(sentAtMs) === true ? SHARE_AFTER.failing : null;
  for (const limit of limits.values()) {
    // A provider that asked for a pause can still serve a small request.
    if (!limit.isOver) continue;
    if (limit.end(sentAtMs)) share = SHARE_AFTER.limited;
    limit.forgetLength();
  }
  return share;
}

const isForgettable = ({ share, failureRate, limits, refused, failing }: ModelPressure): boolean =>
  share === 1 &&
  failureRate < HEALTHY_RATE &&
  refused?.isActive() !== true &&
  failing?.isActive() !== true &&
  ![...limits.values()].some((limit) => limit.isActive());
