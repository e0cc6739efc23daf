import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LowerAuditTargets1790000016000 } from '../../migrations/1790000016000-lower-audit-targets.js';
import { auditRow, writeAudit } from '../support/audit-rows.js';
import { WebhookGateway, type WebhookRow } from '../support/webhook-gateway.js';
import { createOperator, OperatorSession } from '../support/operator-session.js';

interface Named {
  readonly id: string;
}

let gw: WebhookGateway;
beforeAll(async () => {
  gw = await WebhookGateway.start();
});
afterAll(() => gw.stop());

const callWithUpperCaseId = (method: string, path: (id: string) => string, id: string, body?: unknown) =>
  gw.gateway.admin<Named & { key_id: string }>(method, path(id.toUpperCase()), body);

async function actionsOn(id: string): Promise<string[]> {
  const { body } = await gw.gateway.admin<{ logs: { action: string }[] }>('GET', `/admin/audit-logs?target_id=${id}`);
  return body.logs.map(({ action }) => action).sort();
}

test('an operator changed by its upper-case ID is audited and returned under its stored ID', async () => {
  const { id } = await createOperator(gw.gateway, 'viewer');
  const path = (given: string) => `/admin/operators/${given}`;
  await callWithUpperCaseId('PATCH', path, id, { name: 'Grace' });
  await callWithUpperCaseId('POST', (given) => `${path(given)}/password`, id, {
    new_password: 'another long password',
  });
  expect((await callWithUpperCaseId('DELETE', path, id)).body.id).toBe(id);
  expect(await actionsOn(id)).toEqual(
    ['created', 'deleted', 'password_changed', 'updated'].map((did) => `operator.${did}`),
  );
});

test('a session ended by its upper-case ID is audited and returned under its stored ID', async () => {
  const session = await OperatorSession.of(gw.gateway, 'viewer');
  const [own] = (await session.call<{ sessions: Named[] }>('GET', '/admin/sessions')).body.sessions;
  expect((await callWithUpperCaseId('DELETE', (id) => `/admin/sessions/${id}`, own!.id)).body).toEqual({
    id: own!.id,
    deleted: true,
  });
  expect(await actionsOn(own!.id)).toEqual(['admin.session_revoked']);
});

test('an operator who is not an owner can end all own sessions by the upper-case ID', async () => {
  const session = await OperatorSession.of(gw.gateway, 'viewer');
  const { body: listed } = await session.call<{ sessions: { operator_id: string }[] }>('GET', '/admin/sessions');
  const id = listed.sessions[0]!.operator_id;
  const { status, body } = await session.call('DELETE', `/admin/sessions?operator_id=${id.toUpperCase()}`);
  expect([status, body]).toEqual([200, { operator_id: id, ended: 0 }]);
});

test('a webhook and a delivery changed by upper-case IDs are audited under their stored IDs', async () => {
  const { id } = (
    await gw.webhooks<WebhookRow>('POST', '', { url: 'https://hooks.example.invalid/x', events: ['*'], enabled: false })
  ).body;
  const path = (given: string) => `/admin/webhooks/${given}`;
  await callWithUpperCaseId('PATCH', path, id, { events: ['key_revoked'] });
  const sent = await gw.gateway.admin<{ delivery_id: string }>('POST', `${path(id.toUpperCase())}/test`);
  await callWithUpperCaseId('POST', (given) => `${path(id)}/deliveries/${given}/retry`, sent.body.delivery_id);
  expect((await callWithUpperCaseId('DELETE', path, id)).body).toEqual({ id, deleted: true });
  expect(await actionsOn(id)).toEqual(
    ['created', 'deleted', 'tested', 'updated', 'updated'].map((did) => `webhook.${did}`),
  );
});

test('a key changed by its upper-case ID is audited and returned under its stored ID', async () => {
  const { id } = await gw.gateway.createKey();
  await callWithUpperCaseId('PATCH', (given) => `/admin/api-keys/${given}`, id, { rpm_limit: 7 });
  expect((await callWithUpperCaseId('POST', (given) => `/admin/api-keys/${given}/reset-quota`, id)).body.key_id).toBe(
    id,
  );
  const bulk = await gw.gateway.admin<{ failed: Named[] }>('POST', '/admin/api-keys/bulk-unsuspend', {
    ids: [id.toUpperCase()],
  });
  expect(bulk.body.failed.map((failed) => failed.id)).toEqual([id]);
  expect(await actionsOn(id)).toEqual(['created', 'quota_reset', 'updated'].map((did) => `api_key.${did}`));
});

test('the migration lowercases the target IDs of old audit rows, except for models', async () => {
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
