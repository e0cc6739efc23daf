import { LRUCache } from 'lru-cache';
import { remainingShare } from './rate-limit-headers.rules.js';

/** Each upstream limits each model separately. An account with more models than this forgets the least recently used ones. */
const MODELS_MAX = 1_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
/** The first share after a pause. Each success doubles it. */
const FIRST_SHARE = 0.1;
/** Consecutive timeouts and resets after which an upstream counts as hung. One alone can be the request's fault. */
const FAILURES_TO_PAUSE = 3;

interface ModelPressure {
  share: number;
  pausedUntilMs: number;
  pauseMs: number;
  failures: number;
}

/**
 * Computes the share of its requests that an upstream should get. Rejections and rate limits that run out reduce it, and successes
 * restore it. A share only orders the candidates of a request: an upstream without a share is still used if no other can serve the
 * request.
 */
export class UpstreamPressure {
  private readonly models = new LRUCache<string, ModelPressure>({ max: MODELS_MAX });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns 0 to 1, and 1 for an unknown model */
  shareOf(model: string): number {
    const pressure = this.models.get(model);
    return pressure === undefined ? 1 : this.currentShare(pressure);
  }

  /** The lowest share of all models, for operators. */
  get lowestShare(): number {
    return Math.min(1, ...[...this.models.values()].map((pressure) => this.currentShare(pressure)));
  }

  /** A response below 500. `headers` can announce that a limit runs out. */
  onResponse(model: string, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const remaining = remainingShare(headers);
    const known = this.models.get(model);
    if (known === undefined && remaining === 1) return;
    const pressure = known ?? this.add(model);
    pressure.failures = 0;
    if (!this.isPaused(pressure)) pressure.pauseMs = 0;
    const restored = Math.min(1, pressure.share * 2);
    pressure.share = Math.min(remaining, restored);
    if (pressure.share === 1 && pressure.pauseMs === 0) this.models.delete(model);
  }

  /** @param retryAfterMs the pause that the provider asks for; null if it names none */
  onRejected(model: string, retryAfterMs: number | null): void {
    const pressure = this.models.get(model) ?? this.add(model);
    const isPaused = this.isPaused(pressure);
    // Requests that were in flight when the first one was rejected do not lengthen the backoff again. Their longest Retry-After
    // applies.
    if (!isPaused) pressure.pauseMs = longerPauseMs(pressure);
    this.pause(pressure, Math.min(Math.max(retryAfterMs ?? 0, isPaused ? 0 : pressure.pauseMs), PAUSE_MS_MAX));
  }

  /** The upstream accepted a request and did not respond to it. */
  onHung(model: string): void {
    const pressure = this.models.get(model) ?? this.add(model);
    pressure.failures += 1;
    if (pressure.failures < FAILURES_TO_PAUSE || this.isPaused(pressure)) return;
    pressure.pauseMs = longerPauseMs(pressure);
    this.pause(pressure, pressure.pauseMs);
  }

  clear(): void {
    this.models.clear();
  }

  private isPaused({ pausedUntilMs }: ModelPressure): boolean {
    return pausedUntilMs > this.now();
  }

  private currentShare(pressure: ModelPressure): number {
    return this.isPaused(pressure) ? 0 : pressure.share;
  }

  private pause(pressure: ModelPressure, ms: number): void {
    pressure.pausedUntilMs = Math.max(pressure.pausedUntilMs, this.now() + ms);
    pressure.share = FIRST_SHARE;
  }

  private add(model: string): ModelPressure {
    const pressure = { share: 1, pausedUntilMs: -Infinity, pauseMs: 0, failures: 0 };
    this.models.set(model, pressure);
    return pressure;
  }
}

const longerPauseMs = ({ pauseMs }: ModelPressure): number =>
  Math.min(Math.max(PAUSE_MS_MIN, pauseMs * 2), PAUSE_MS_MAX);
