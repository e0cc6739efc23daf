import { AUDIT_ACTIONS, type AuditAction } from '../../audit/audit-action.data.js';
import type { AuditFilter } from '../../audit/audit-trail.read-model.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { IsNotAfter, UUID } from '../../validation/input.decorators.js';
import { QueryEnum, QueryText, QueryTimestamp } from '../../validation/query-fields.js';
import { LogPageRequest } from '../page.dto.js';

/** A page of the audit log, newest first. */
export class KeyAuditRequest extends LogPageRequest {
  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Written at or after.' })
  since?: number;

  @QueryTimestamp({ description: 'Written at or before. To read page after page, leave it at one moment.' })
  until?: number;
}

export class ListAuditLogsRequest extends KeyAuditRequest {
  @QueryText({ min: 1, max: 400, description: 'The id of a key, webhook or operator, the name of a model …' })
  target_id?: string;

  @QueryEnum(AUDIT_ACTIONS)
  action?: AuditAction;

  @QueryEnum(['admin_key', 'operator', 'system'])
  actor_type?: AdminActor['type'];
}

export function auditFilterOf(query: ListAuditLogsRequest): AuditFilter {
  const { target_id = null, action = null, actor_type = null, since = null, until = null } = query;
  // Targets are kept as text, ids of the gateway's own in lower case.
  const targetId = target_id !== null && UUID.test(target_id) ? target_id.toLowerCase() : target_id;
  return { targetId, action, actorType: actor_type, sinceMs: since, untilMs: until };
}

/** @param keyId as it is stored: in lower case */
export function keyAuditFilterOf(keyId: string, query: KeyAuditRequest): AuditFilter {
  const { since = null, until = null } = query;
  return { targetId: keyId, action: null, actorType: null, sinceMs: since, untilMs: until };
}
