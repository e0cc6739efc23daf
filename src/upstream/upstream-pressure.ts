import { LruCache } from '../platform/fairness/lru-cache.js';

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
  private readonly models = new LruCache<string, ModelPressure>(MODELS_MAX);

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

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Below this share of a limit, requests move to other upstreams, in proportion. */
const SCARCE = 0.1;

/** Names of a limit and of what remains of it. OpenAI, Azure and Groq use the first two, Anthropic the others. */
const LIMITS = [
  ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens'],
  ['anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-limit', 'anthropic-ratelimit-tokens-remaining'],
  ['anthropic-ratelimit-input-tokens-limit', 'anthropic-ratelimit-input-tokens-remaining'],
  ['anthropic-ratelimit-output-tokens-limit', 'anthropic-ratelimit-output-tokens-remaining'],
] as const;

/** Returns 1 if no limit is scarce, otherwise the share of requests that the upstream should get, down to 0.01. */
function remainingShare(headers: Headers): number {
  let lowest = 1;
  for (const [limitName, remainingName] of LIMITS) {
    if (headers[remainingName] === undefined) continue;
    const limit = numberOf(headers[limitName]);
    const remaining = numberOf(headers[remainingName]);
    if (limit === null || remaining === null || limit === 0) continue;
    lowest = Math.min(lowest, remaining / limit / SCARCE);
  }
  return Math.max(lowest, SCARCE / 10);
}

function numberOf(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) return null;
  return Number(value);
}

/** Reads `Retry-After` in seconds or as a date, and `retry-after-ms`. @returns null if absent or unusable */
export function retryAfterMsOf(headers: Headers, nowMs = Date.now()): number | null {
  const ms = numberOf(headers['retry-after-ms']);
  if (ms !== null) return ms;
  const text = headers['retry-after'];
  if (typeof text !== 'string') return null;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
