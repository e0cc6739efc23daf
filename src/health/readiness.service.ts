import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { Redis } from '../redis/redis.service.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { HealthAnswer, ReadyAnswer } from './health.response.dto.js';

type Others = Pick<ReadyAnswer, 'database' | 'upstream' | 'redis'>;

/** What this process says of itself (D21). Reads what others know already: a probe costs no call to anybody. */
@Injectable()
export class Readiness {
  constructor(
    private readonly config: Config,
    private readonly lifecycle: Lifecycle,
    private readonly database: Database,
    private readonly upstream: UpstreamClient,
    private readonly redis: Redis,
  ) {}

  health(): HealthAnswer {
    const { version } = this.config;
    return { status: 'ok', service: 'inference-gateway', version, uptime_seconds: this.lifecycle.uptimeSeconds };
  }

  ready(): ReadyAnswer {
    const database = this.database.state;
    const upstream = this.upstreamState();
    const { draining } = this.lifecycle;
    const others: Others = { database, upstream };
    if (this.redis.configured) others.redis = this.redis.up ? 'ready' : 'away';
    return { status: this.status(others, draining), ...others, draining };
  }

  private upstreamState(): ReadyAnswer['upstream'] {
    if (this.upstream.state().breakerOpen) return 'away';
    return this.upstream.accountRefused ? 'refused' : 'ready';
  }

  private status({ database, upstream, redis = 'ready' }: Others, draining: boolean): ReadyAnswer['status'] {
    if (draining || database === 'connecting') return 'not_ready';
    if (database === 'away' && this.config.dbOutage === 'closed') return 'not_ready';
    return [database, upstream, redis].every((state) => state === 'ready') ? 'ready' : 'degraded';
  }
}
