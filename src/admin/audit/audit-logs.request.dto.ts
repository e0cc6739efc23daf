import { AUDIT_ACTIONS, type AuditAction } from '../../audit/audit-action.data.js';
import type { AuditFilter } from '../../audit/audit-log.read-model.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { IsNotAfter, UUID } from '../../validation/input.decorators.js';
import { QueryEnum, QueryText, QueryTimestamp } from '../../validation/query-fields.js';
import { LogPageRequest } from '../page.dto.js';

export class KeyAuditRequest extends LogPageRequest {
  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest time of an entry.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest time of an entry. Use the same value for all pages.' })
  until?: number;
}

export class ListAuditLogsRequest extends KeyAuditRequest {
  @QueryText({ min: 1, max: 400, description: 'For example the ID of a key, webhook or operator, or a model.' })
  target_id?: string;

  @QueryEnum(AUDIT_ACTIONS)
  action?: AuditAction;

  @QueryEnum(['admin_key', 'operator', 'system'])
  actor_type?: AdminActor['type'];
}

export function auditFilterOf(query: ListAuditLogsRequest): AuditFilter {
  const { target_id = null, action = null, actor_type = null, since = null, until = null } = query;
  // Targets are stored as text, UUIDs in lower case.
  const targetId = target_id !== null && UUID.test(target_id) ? target_id.toLowerCase() : target_id;
  return { targetId, action, actorType: actor_type, sinceMs: since, untilMs: until };
}

export function keyAuditFilterOf(keyId: string, query: KeyAuditRequest): AuditFilter {
  const { since = null, until = null } = query;
  return { targetId: keyId, action: null, actorType: null, sinceMs: since, untilMs: until };
}
