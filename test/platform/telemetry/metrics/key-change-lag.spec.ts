import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Changes } from '../../../../src/platform/changes/changes.js';
import { until } from '../../../support/until.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';

let metered: MeteredGateway;
beforeAll(async () => (metered = await startMetered()));
afterAll(() => metered.stop());

test('the lag of a key change is measured once', async () => {
  const { gateway } = metered;
  const dated = new Set<string | null>();
  gateway.app.get(Changes).subscribe('key', (id, changedAtMs) => changedAtMs !== undefined && dated.add(id));
  // Changes before the first poll have no time and are not measured. When the poll reports a key with a time, it has also
  // reported all earlier changes.
  const datedKey = async (msMax: number) => {
    const { id } = await gateway.createKey();
    return until(() => dated.has(id), msMax).then(
      () => id,
      () => null,
    );
  };
  const id = (await datedKey(1000)) ?? (await datedKey(5000));
  const patch = () => gateway.admin('PATCH', `/admin/api-keys/${id}`, { rpm_limit: 999_999 });
  expect(await metered.added('gateway_key_change_lag_seconds_count', {}, patch)).toBe(1);
});
