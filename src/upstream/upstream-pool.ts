import { Client, type buildConnector } from 'undici';
import '../platform/patches/undici-continue.js';

const STEP_MS = 10;

/** A clock that stops while the process is stalled, because the process does not notice a close during a stall either. */
class EventLoopClock {
  nowMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param isNeeded checked at each step; if false, the clock stops until the next `run()` */
  constructor(private readonly isNeeded: () => boolean) {}

  run(): void {
    this.timer ??= setInterval(() => this.step(), STEP_MS).unref();
  }

  private step(): void {
    this.nowMs += STEP_MS;
    if (this.isNeeded()) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Beyond this number, the lane that has rested longest is used, so rests are shorter under high load. */
const RESTING_MAX = 128;

/** One connection, opened by its first request. Once either side has closed it, the lane is dropped. */
export interface Lane {
  readonly client: Client;
  /** Includes a running request. */
  requests: number;
  /** Measured by the pool's `EventLoopClock`. Null while a request runs. */
  idleSinceMs: number | null;
}

/**
 * The connections to one origin. undici's own pool searches all its connections for a free one at each request.
 *
 * A lane rests after each response until the upstream is known to keep connections (`ConnectionReuse`). A server that closes
 * connections without notice does so during the rest, when they carry no request.
 */
export class UpstreamPool {
  private readonly lanes = new Set<Lane>();
  /** Ordered by the start of their idle time. The most recent lane that has rested is used, so that the others can time out. */
  private readonly idle: Lane[] = [];
  private readonly reuse = new ConnectionReuse();
  private readonly clock = new EventLoopClock(() => this.idle.length > 0);
  private readonly options: Client.Options;
  private retired = false;

  /** @param connectionsMax must not be less than the number of concurrent requests */
  constructor(
    private readonly origin: string,
    connect: buildConnector.connector,
    private readonly connectionsMax: number,
  ) {
    this.options = {
      // HTTP/2 would share connections, but permits count connections, and an abort must close one.
      allowH2: false,
      pipelining: 1,
      // `UpstreamCall` has its own timeouts, because undici's are up to 1 s late and interim responses extend them.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    };
  }

  get connected(): number {
    let sockets = 0;
    for (const lane of this.lanes) if (lane.client.stats.connected) sockets += 1;
    return sockets;
  }

  take(): Lane {
    const lane = this.takeRested() ?? this.takeAtBound() ?? this.open();
    lane.requests += 1;
    lane.idleSinceMs = null;
    return lane;
  }

  release(lane: Lane): void {
    if (this.retired) return this.drop(lane);
    if (!this.lanes.has(lane)) return;
    lane.idleSinceMs = this.clock.nowMs;
    this.idle.push(lane);
    this.clock.run();
  }

  /** Called instead of `release` if the connection must not be reused. */
  drop(lane: Lane): void {
    if (this.lanes.delete(lane)) void lane.client.close().catch(() => undefined);
  }

  /** Closes idle connections now, and the others after their request. No new request must follow. */
  retire(): void {
    this.retired = true;
    for (const lane of this.idle.splice(0)) this.drop(lane);
  }

  get empty(): boolean {
    return this.lanes.size === 0;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.lanes].map((lane) => lane.client.destroy()));
  }

  private takeRested(): Lane | undefined {
    const { idle, reuse } = this;
    if (idle.length === 0) return undefined;
    const { nowMs } = this.clock;
    if (reuse.idleMsMax < Infinity) reuse.onOpen(nowMs - idle[0]!.idleSinceMs!);
    let at = idle.findLastIndex(({ idleSinceMs }) => nowMs - idleSinceMs! >= reuse.restMs);
    if (at === -1 && idle.length < RESTING_MAX) return undefined;
    at = Math.max(at, 0);
    const lane = idle[at]!;
    if (reuse.restMs > 0) reuse.onRested(lane.requests);
    if (nowMs - lane.idleSinceMs! <= reuse.idleMsMax) return idle.splice(at, 1)[0];
    // All of these have been idle too long. The oldest stays, to measure how long the upstream keeps a connection.
    for (const old of idle.splice(1, at)) this.drop(old);
    return undefined;
  }

  /** At the maximum, takes the lane that has rested longest, or drops it to make room for a new one. */
  private takeAtBound(): Lane | undefined {
    if (this.lanes.size < this.connectionsMax) return undefined;
    const lane = this.idle.shift();
    if (lane === undefined || this.reuse.seenKept) return lane;
    this.drop(lane);
    return undefined;
  }

  private open(): Lane {
    const lane: Lane = { client: new Client(this.origin, this.options), requests: 0, idleSinceMs: null };
    // A new client resolves the host name again, because the address can have changed.
    lane.client.on('connectionError', () => this.drop(lane));
    lane.client.on('disconnect', (_origin, _targets, error) => this.onDisconnect(lane, error));
    this.lanes.add(lane);
    return lane;
  }

  private onDisconnect(lane: Lane, { code }: { readonly code: string }): void {
    const { idleSinceMs } = lane;
    // A lane with a running request is handled by its `UpstreamCall`.
    if (idleSinceMs === null || !this.lanes.delete(lane)) return;
    this.idle.splice(this.idle.indexOf(lane), 1);
    if (code !== CLOSED_BY_UNDICI) this.reuse.onClosed(this.clock.nowMs - idleSinceMs);
  }
}

/** undici closed the connection itself, after `Connection: close` or the `Keep-Alive` timeout. */
const CLOSED_BY_UNDICI = 'UND_ERR_INFO';

/** A close after a response arrives within this time, even from a busy machine. */
const REST_MS = 100;
/** A connection that stays open for this many requests, with a rest after each, proves that the upstream keeps connections. */
const PROOF_REQUESTS = 32;
/** How long a close during a rest is remembered. Doubles with each close, so that a rare one is not forgotten. */
const DISTRUST_MS_MIN = 60_000;
const DISTRUST_MS_MAX = 3_600_000;
/** How long the idle time before another close is remembered. */
const IDLE_TIME_REMEMBERED_MS = 60_000;

/**
 * Limits the idle time of a connection before its next request. A request that crosses the upstream's close is lost, and
 * cannot be retried, because the upstream might have read it. So connections are not reused at idle times at which this
 * upstream closes them.
 */
export class ConnectionReuse {
  /** The minimum idle time; 0 once this upstream is known to keep connections. */
  restMs = REST_MS;
  idleMsMax = Infinity;
  private requestsKept = 0;
  private distrustMs = DISTRUST_MS_MIN / 2;
  private distrustUntilMs = -Infinity;
  private closedAfterMs = Infinity;
  private closedAtMs = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A connection stayed open during a rest, and none was closed during a rest since. */
  get seenKept(): boolean {
    return this.requestsKept > 0;
  }

  /** @param requests on an open connection that has rested since the last one */
  onRested(requests: number): void {
    this.requestsKept = Math.max(this.requestsKept, requests);
    if (this.requestsKept >= PROOF_REQUESTS && this.now() >= this.distrustUntilMs) this.restMs = 0;
  }

  /** @param idleMs of the open connection that has been idle for longest */
  onOpen(idleMs: number): void {
    // It has been idle far longer than those that were closed, so their close had another reason, such as a restart.
    const isOutlasting = idleMs > 2 * this.closedAfterMs + REST_MS;
    if (!isOutlasting && this.now() < this.closedAtMs + IDLE_TIME_REMEMBERED_MS) return;
    this.idleMsMax = Infinity;
    this.closedAfterMs = Infinity;
  }

  onClosed(idleMs: number): void {
    const nowMs = this.now();
    if (idleMs < REST_MS) {
      if (nowMs >= this.distrustUntilMs) this.distrustMs = Math.min(2 * this.distrustMs, DISTRUST_MS_MAX);
      this.distrustUntilMs = nowMs + this.distrustMs;
      this.restMs = REST_MS;
      this.requestsKept = 0;
    } else {
      this.closedAtMs = nowMs;
      this.closedAfterMs = Math.min(this.closedAfterMs, idleMs);
      // Half of the observed time, because the close and the next request both take time on the network.
      this.idleMsMax = this.closedAfterMs / 2;
    }
  }
}
