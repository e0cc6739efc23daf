import { DataSource } from 'typeorm';
import { until } from './until.js';
import { startGateway } from './ready-gateway.js';
import type { TestGateway } from './gateway.js';

/** Starts a gateway and waits for the end of its first daily job, which deletes old rows and writes an audit row. */
export async function startSettledGateway(...given: Parameters<typeof startGateway>): Promise<TestGateway> {
  const gateway = await startGateway(...given);
  const source = gateway.app.get(DataSource);
  const runs = () => source.query<object[]>(`select from job_runs where job = 'daily' and outcome <> 'running'`);
  await until(async () => (await runs()).length > 0);
  return gateway;
}
