import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { Upstream } from '../../upstream/upstream.js';
import { DatabaseReadiness } from './database-readiness.js';
import type { HealthResponse, ReadyResponse } from './health.dto.js';

type Dependencies = Pick<ReadyResponse, 'database' | 'upstream'>;

/** Computes the health responses (D21) from states that other services track anyway, so that probes cost no I/O. */
@Injectable()
export class Readiness {
  constructor(
    private readonly config: Config,
    private readonly lifecycle: Lifecycle,
    private readonly database: DatabaseReadiness,
    private readonly upstream: UpstreamClient,
  ) {}

  health(): HealthResponse {
    const { version } = this.config;
    return { status: 'ok', service: 'inference-gateway', version, uptime_seconds: this.lifecycle.uptimeSeconds };
  }

  ready(): ReadyResponse {
    const database = this.database.state;
    const upstream = this.upstreamState();
    const { draining } = this.lifecycle;
    return { status: this.status({ database, upstream }, draining), database, upstream, draining };
  }

  private upstreamState(): ReadyResponse['upstream'] {
    // The messages address of an account without `GW_UPSTREAMS` does not count, because few callers use it.
    const counted = this.upstream.all.filter(({ isNamed }, at) => isNamed || at === 0);
    if (counted.every(({ breaker }) => breaker.open)) return 'away';
    const isRefused = ({ accountRefused, breaker, pressure }: Upstream) =>
      accountRefused || breaker.open || pressure.isAccountRefused;
    if (counted.every(isRefused)) return 'refused';
    const isFailing = (upstream: Upstream) => isRefused(upstream) || upstream.pressure.status === 'failing';
    return counted.every(isFailing) ? 'failing' : 'ready';
  }

  private status({ database, upstream }: Dependencies, draining: boolean): ReadyResponse['status'] {
    if (draining || database === 'connecting' || this.database.isBehindUnsafePooler) return 'not_ready';
    if (database === 'away' && this.config.dbOutage === 'closed') return 'not_ready';
    return database === 'ready' && upstream === 'ready' ? 'ready' : 'degraded';
  }
}
