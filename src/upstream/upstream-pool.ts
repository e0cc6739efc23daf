import { buildConnector, Client } from 'undici';
import { EventLoopClock, ConnectionReuse } from './connection-reuse.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { FailureCounts } from './upstream-failure.js';
import type { ConnectionPermits } from '../fairness/connection-permits.js';

/** Lanes that rest at once. With more of them the oldest is used: under high load a rest is shorter. */
const RESTING_MAX = 128;

/** One connection: opened by the first request that is dispatched to it, and gone once either side has closed it. */
export interface Lane {
  readonly client: Client;
  /** Those that it has carried or carries. */
  requests: number;
  /** By the pool's `EventLoopClock`, when its last request ended; null while it carries one. */
  idleSinceMs: number | null;
}

/**
 * The connections to one origin. The holder of a lane uses it alone until it is given back. Replaces undici's own pool,
 * which searches all its connections for a free one with each request.
 *
 * A lane rests after each response until the upstream is known to keep connections (`ConnectionReuse`). A server that closes
 * connections unannounced does so in the rest, while no request is on them.
 */
export class UpstreamPool {
  private readonly lanes = new Set<Lane>();
  /** In the order in which they became idle. The latest that has rested is used next: the others can time out. */
  private readonly idle: Lane[] = [];
  private readonly window = new ConnectionReuse();
  private readonly time = new EventLoopClock(() => this.idle.length > 0);
  private readonly options: Client.Options;

  /**
   * @param origin scheme, host and port of every request
   * @param connectionsMax lanes; at least as many as requests run at once
   */
  constructor(
    private readonly origin: string,
    connectTimeoutMs: number,
    private readonly connectionsMax: number,
  ) {
    this.options = {
      // HTTP/2 would put many requests on one connection: permits count connections, an abort must end one.
      allowH2: false,
      pipelining: 1,
      // undici's own are up to a second late and extended by interim responses: the calls keep time themselves.
      headersTimeout: 0,
      bodyTimeout: 0,
      // One for all, so that they share TLS sessions. Its limit is a backstop: a connection that never comes gives its permit back.
      connect: buildConnector({ allowH2: false, timeout: connectTimeoutMs }),
    };
  }

  /** Open sockets. */
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

  giveBack(lane: Lane): void {
    if (!this.lanes.has(lane)) return;
    lane.idleSinceMs = this.time.nowMs;
    this.idle.push(lane);
    this.time.run();
  }

  /** Replaces `giveBack` where the connection is broken or about to be: no request is sent there again. */
  drop(lane: Lane): void {
    if (this.lanes.delete(lane)) void lane.client.close().catch(() => undefined);
  }

  /** Every running request fails. */
  async destroy(): Promise<void> {
    await Promise.all([...this.lanes].map((lane) => lane.client.destroy()));
  }

  private takeRested(): Lane | undefined {
    const { idle, window } = this;
    if (idle.length === 0) return undefined;
    const { nowMs } = this.time;
    if (window.idleMsMax < Infinity) window.onOpen(nowMs - idle[0]!.idleSinceMs!);
    let at = idle.findLastIndex(({ idleSinceMs }) => nowMs - idleSinceMs! >= window.restMs);
    if (at === -1 && idle.length < RESTING_MAX) return undefined;
    at = Math.max(at, 0);
    const lane = idle[at]!;
    if (window.restMs > 0) window.onRested(lane.requests);
    if (nowMs - lane.idleSinceMs! <= window.idleMsMax) return idle.splice(at, 1)[0];
    // All of these are too old. The oldest stays, to see for how long this upstream keeps a connection.
    for (const old of idle.splice(1, at)) this.drop(old);
    return undefined;
  }

  /** Takes the lane that has rested longest, or its place, if there can be no more lanes. */
  private takeAtBound(): Lane | undefined {
    if (this.lanes.size < this.connectionsMax) return undefined;
    const lane = this.idle.shift();
    if (lane === undefined || this.window.seenKept) return lane;
    this.drop(lane);
    return undefined;
  }

  private open(): Lane {
    const lane: Lane = { client: new Client(this.origin, this.options), requests: 0, idleSinceMs: null };
    // Its knowledge of the address can be out of date.
    lane.client.on('connectionError', () => this.drop(lane));
    lane.client.on('disconnect', (_origin, _targets, error) => this.onDisconnect(lane, error));
    this.lanes.add(lane);
    return lane;
  }

  private onDisconnect(lane: Lane, { code }: { readonly code: string }): void {
    const { idleSinceMs } = lane;
    // One that carries a request is the matter of its holder.
    if (idleSinceMs === null || !this.lanes.delete(lane)) return;
    this.idle.splice(this.idle.indexOf(lane), 1);
    if (code !== CLOSED_HERE) this.window.onClosed(this.time.nowMs - idleSinceMs);
  }
}

/** undici's code for a connection that it closed itself: `Connection: close`, or the end of `Keep-Alive: timeout`. */
const CLOSED_HERE = 'UND_ERR_INFO';

/** One upstream address and all that its requests share. */
export interface UpstreamOrigin {
  /** Path of the base URL without a slash at its end: `/api/v1`. */
  readonly basePath: string;
  readonly pool: UpstreamPool;
  readonly permits: ConnectionPermits;
  readonly breaker: CircuitBreaker;
  readonly limits: UpstreamTimeLimits;
  /** Of this address by its name: two that share all the rest count apart. */
  readonly failures: FailureCounts;
}

/** Milliseconds. */
interface UpstreamTimeLimits {
  /** To get a free connection, and again to connect. */
  readonly connectMs: number;
  /** From the first byte sent to the answer's head. */
  readonly headMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
}
