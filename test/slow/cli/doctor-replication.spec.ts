import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { diagnose, found } from '../../cli/diagnosis.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';

let postgres: ReplicatedPostgres;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  [postgres, upstream] = await Promise.all([ReplicatedPostgres.start(), startUpstream()]);
  // Migrates the database.
  await GatewayProcess.start({ DATABASE_URL: postgres.primary, GW_UPSTREAM_BASE_URL: upstream.url });
  await postgres.replicated();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await Promise.all([upstream.stop(), postgres.drop()]);
});

const diagnosisOf = (url: string) => diagnose({ DATABASE_URL: url, GW_UPSTREAM_BASE_URL: upstream.url, PORT: '0' });

test('doctor names a standby, and does not blame a pooler', async () => {
  const diagnosis = await diagnosisOf(postgres.standby);
  expect(found(diagnosis, 'database_sessions')).toMatchObject({ status: 'ok' });
  expect(found(diagnosis, 'database_replication')).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/standby/),
  });
});

test('doctor warns about an asynchronous standby', async () => {
  expect(found(await diagnosisOf(postgres.primary), 'database_replication')).toMatchObject({ status: 'warn' });
  await postgres.onPrimary(`alter system set synchronous_standby_names = 'ANY 1 (standby)'`);
  await postgres.onPrimary('select pg_reload_conf()');
  await until(async () => {
    const diagnosis = await diagnosisOf(postgres.primary);
    return found(diagnosis, 'database_replication').status === 'ok';
  });
});
