import { Client, type buildConnector } from 'undici';
import { EventLoopClock, ConnectionReuse } from './connection-reuse.js';

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
