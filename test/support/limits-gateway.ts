import { DataSource } from 'typeorm';
import { TestGateway } from './gateway.js';
import { LimitCalls, type ShownLimit } from './limit-calls.js';

export interface LimitsGateway {
  readonly gateway: TestGateway;
  readonly source: DataSource;
  readonly limits: LimitCalls;
  /** The team is named `Research`. */
  readonly teamId: string;
  /** The key belongs to the team and has the tag `prod`. */
  readonly keyId: string;
}

export async function startLimitsGateway(): Promise<LimitsGateway> {
  const gateway = await TestGateway.start();
  const source = gateway.app.get(DataSource);
  const { id: keyId } = await gateway.createKey();
  const [team] = await source.query<{ id: string }[]>(`insert into teams (name) values ('Research') returning id`);
  await source.query(`update api_keys set team_id = $1, tags = '{prod}' where id = $2`, [team!.id, keyId]);
  return { gateway, source, limits: new LimitCalls(gateway), teamId: team!.id, keyId };
}

export interface LimitPage {
  readonly total: number;
  readonly has_more: boolean;
  readonly limits: ShownLimit[];
}

/** Deletes all limits, and the usage from which they start. Call it in `beforeEach`. */
export async function deleteLimits(source: DataSource): Promise<void> {
  for (const table of ['limits', 'usage_daily', 'cost_daily', 'limit_alerts'])
    await source.query(`delete from ${table}`);
}
