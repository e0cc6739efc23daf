import { DataSource } from 'typeorm';
import { TestGateway } from './gateway.js';
import { LimitCalls } from './limit-calls.js';

export interface LimitsGateway {
  readonly gateway: TestGateway;
  readonly source: DataSource;
  readonly limits: LimitCalls;
  /** A key with the tag `prod`. */
  readonly keyId: string;
}

export async function startLimitsGateway(): Promise<LimitsGateway> {
  const gateway = await TestGateway.start();
  const source = gateway.app.get(DataSource);
  const { id: keyId } = await gateway.createKey();
  await source.query(`update api_keys set tags = '{prod}' where id = $1`, [keyId]);
  return { gateway, source, limits: new LimitCalls(gateway), keyId };
}

/** Deletes all limits, and the usage from which they start. For `beforeEach`. */
export async function deleteLimits(source: DataSource): Promise<void> {
  for (const table of ['limits', 'usage_daily', 'cost_daily', 'limit_alerts'])
    await source.query(`delete from ${table}`);
}
