import type { Config } from '../config/config.js';

/**
 * The environment of one worker, to be laid over this process's own: what the start has put in place or made up, and the
 * worker's share of the instance cap: all shares together are the cap, or one request each where it is smaller than that.
 * @param place from 0 to one less than `config.workers`
 */
export function workerSettings(config: Config, place: number): NodeJS.ProcessEnv {
  const { workers, instanceMonthlyCap } = config;
  const share = Math.floor(instanceMonthlyCap / workers) + (place < instanceMonthlyCap % workers ? 1 : 0);
  return {
    DATABASE_URL: config.databaseUrl ?? '',
    GW_UPSTREAM_BASE_URL: config.upstreamBaseUrl ?? '',
    GW_UPSTREAM_API_KEY: config.upstreamApiKey ?? '',
    GW_ADMIN_KEY: config.adminKeys.join(','),
    GW_SECRET_KEY: config.secretKeys.join(','),
    GW_OWNER_EMAIL: config.ownerEmail,
    GW_OWNER_PASSWORD: config.ownerPassword,
    GW_VERSION: config.version,
    GW_INSTANCE_MONTHLY_CAP: String(Math.max(1, share)),
  };
}
