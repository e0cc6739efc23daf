import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LowerAuditTargets1790000016000 } from '../../../migrations/1790000016000-lower-audit-targets.js';
import { auditRow, writeAudit } from '../../support/audit-rows.js';
import { WebhookGateway, type WebhookRow } from '../../support/webhook-gateway.js';
import { createOperator, OperatorSession } from '../../support/operator-session.js';

interface Named {
  readonly id: string;
}

let gw: WebhookGateway;
beforeAll(async () => {
  gw = await WebhookGateway.start();
});
afterAll(() => gw.stop());

const shouted = (method: string, path: (id: string) => string, id: string, body?: unknown) =>
  gw.gateway.admin<Named & { key_id: string }>(method, path(id.toUpperCase()), body);

/** Every change of it that the audit log finds by its id. */
async function actionsOn(id: string): Promise<string[]> {
  const { body } = await gw.gateway.admin<{ logs: { action: string }[] }>('GET', `/admin/audit-logs?target_id=${id}`);
  return body.logs.map(({ action }) => action).sort();
}

test('an operator changed by an upper-case id is found in the audit log, and answered as it is stored', async () => {
  const { id } = await createOperator(gw.gateway, 'viewer');
  const path = (given: string) => `/admin/operators/${given}`;
  await shouted('PATCH', path, id, { name: 'Grace' });
  await shouted('POST', (given) => `${path(given)}/password`, id, { new_password: 'another long password' });
  expect((await shouted('DELETE', path, id)).body.id).toBe(id);
  expect(await actionsOn(id)).toEqual(
    ['created', 'deleted', 'password_changed', 'updated'].map((did) => `operator.${did}`),
  );
});

test('so is a session', async () => {
  const session = await OperatorSession.of(gw.gateway, 'viewer');
  const [own] = (await session.call<{ sessions: Named[] }>('GET', '/admin/sessions')).body.sessions;
  expect((await shouted('DELETE', (id) => `/admin/sessions/${id}`, own!.id)).body).toEqual({
    id: own!.id,
    deleted: true,
  });
  expect(await actionsOn(own!.id)).toEqual(['admin.session_revoked']);
});

test('so are a webhook and its deliveries', async () => {
  const { id } = (
    await gw.webhooks<WebhookRow>('POST', '', { url: 'https://hooks.example.invalid/x', events: ['*'], enabled: false })
  ).body;
  const path = (given: string) => `/admin/webhooks/${given}`;
  await shouted('PATCH', path, id, { events: ['key_revoked'] });
  const sent = await gw.gateway.admin<{ delivery_id: string }>('POST', `${path(id.toUpperCase())}/test`);
  await shouted('POST', (given) => `${path(id)}/deliveries/${given}/retry`, sent.body.delivery_id);
  expect((await shouted('DELETE', path, id)).body).toEqual({ id, deleted: true });
  expect(await actionsOn(id)).toEqual(
    ['created', 'deleted', 'tested', 'updated', 'updated'].map((did) => `webhook.${did}`),
  );
});

test('so is a key, also where a bulk call changes nothing of it', async () => {
  const { id } = await gw.gateway.createKey();
  await shouted('PATCH', (given) => `/admin/api-keys/${given}`, id, { rpm_limit: 7 });
  expect((await shouted('POST', (given) => `/admin/api-keys/${given}/reset-quota`, id)).body.key_id).toBe(id);
  const bulk = await gw.gateway.admin<{ failed: Named[] }>('POST', '/admin/api-keys/bulk-unsuspend', {
    ids: [id.toUpperCase()],
  });
  expect(bulk.body.failed.map((failed) => failed.id)).toEqual([id]);
  expect(await actionsOn(id)).toEqual(['created', 'quota_reset', 'updated'].map((did) => `api_key.${did}`));
});

test('rows that an earlier release wrote in upper case are found after the migration, models keep their letters', async () => {
  const source = gw.gateway.app.get(DataSource);
  const [operator, webhook, session] = [randomUUID(), randomUUID(), randomUUID()];
  await writeAudit(source, [
    auditRow('2026-01-01T00:00:00Z', {
      action: 'operator.deleted',
      targetType: 'operator',
      targetId: operator.toUpperCase(),
    }),
    auditRow('2026-02-01T00:00:00Z', {
      action: 'webhook.tested',
      targetType: 'webhook',
      targetId: webhook.toUpperCase(),
    }),
    auditRow('2026-03-01T00:00:00Z', {
      action: 'admin.session_revoked',
      targetType: 'session',
      targetId: session.toUpperCase(),
    }),
    auditRow('2026-03-01T00:00:00Z', { action: 'model_policy.set', targetType: 'model', targetId: 'Vendor/Model' }),
  ]);
  await new LowerAuditTargets1790000016000().up(source.createQueryRunner());
  expect(await Promise.all([operator, webhook, session, 'Vendor/Model'].map(actionsOn))).toEqual([
    ['operator.deleted'],
    ['webhook.tested'],
    ['admin.session_revoked'],
    ['model_policy.set'],
  ]);
});
