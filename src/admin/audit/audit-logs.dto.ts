import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type AuditAction } from '../../audit/audit-action.data.js';
import type { AuditPage, AuditQuery, AuditRecord } from '../../audit/audit-log.read-model.js';
import { maskedUrlChange } from '../../audit/events/webhook-target.rules.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { CappedTotal, CappedPage, CappedPageRequest } from '../page.dto.js';
import { isObject } from '../../platform/validation/check.js';
import { UUID } from '../../platform/validation/characters.js';
import { IsNotAfter } from '../../platform/validation/input.decorators.js';
import { QueryEnum, QueryText, QueryTimestamp } from '../../platform/validation/query-fields.js';
import { TIME } from '../fields.data.js';

export class KeyAuditRequest extends CappedPageRequest {
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

  @QueryText({
    min: 1,
    max: 200,
    description:
      '`X-Request-Id` of the response to a change. Searches the last hour, unless `since` is set. No entry: the change was not made, or is not confirmed yet.',
  })
  request_id?: string;
}

/** The request ID has no index. */
const REQUEST_SEARCH_MS = 3_600_000;

export function auditQueryOf(query: ListAuditLogsRequest): AuditQuery {
  const { target_id = null, action = null, actor_type = null, request_id = null, until = null, limit, offset } = query;
  const since = query.since ?? (request_id === null ? null : Date.now() - REQUEST_SEARCH_MS);
  // Targets are stored as text, UUIDs in lower case.
  const targetId = target_id !== null && UUID.test(target_id) ? target_id.toLowerCase() : target_id;
  return {
    targetId,
    action,
    actorType: actor_type,
    requestId: request_id,
    sinceMs: since,
    untilMs: until,
    limit,
    offset,
  };
}

export const keyAuditQueryOf = (key: { readonly id: string }, query: KeyAuditRequest): AuditQuery =>
  auditQueryOf({ ...query, target_id: key.id });

class AuditLogEntry {
  @ApiProperty({ format: 'uuid', example: 'b7c1f3a2-4d5e-4f60-8a9b-1c2d3e4f5a6b' })
  id: string;

  @ApiProperty({ description: `One of ${AUDIT_ACTIONS.join(', ')}.`, example: 'api_key.updated' })
  action: string;

  @ApiProperty({ enum: ['admin_key', 'operator', 'system'], example: 'operator' })
  actor_type: AdminActor['type'];

  @ApiProperty({ example: 'api_key' })
  target_type: string;

  @ApiProperty({ type: String, nullable: true, example: '5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f' })
  target_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Old and new values of the change, without secrets, and `actor_id`, `request_id` and `ip`.',
    example: {
      changes: { rpm_limit: { old: 60, new: 600 } },
      actor_id: '0d9f8e7d-6c5b-4a39-9281-706f5e4d3c2b',
      request_id: '0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57',
      ip: '192.0.2.7',
    },
  })
  metadata: Readonly<Record<string, unknown>>;

  @ApiProperty(TIME)
  created_at: Date;

  static of({ id, action, actorType, targetType, targetId, metadata, createdAt }: AuditRecord): AuditLogEntry {
    return {
      id,
      action,
      actor_type: actorType,
      target_type: targetType,
      target_id: targetId,
      metadata: targetType === 'webhook' ? withMaskedUrl(metadata) : metadata,
      created_at: createdAt,
    };
  }
}

/** Version 1.0 stored the path of a webhook's URL. */
function withMaskedUrl(metadata: AuditRecord['metadata']): AuditRecord['metadata'] {
  const { changes } = metadata;
  if (!isObject(changes) || !isObject(changes['url'])) return metadata;
  const { old: before, new: after } = changes['url'];
  return { ...metadata, changes: { ...changes, url: maskedUrlChange({ old: before, new: after }) } };
}

export class AuditLogListResponse extends CappedTotal {
  @ApiProperty({ type: [AuditLogEntry] })
  logs: AuditLogEntry[];

  static of({ found, logs }: AuditPage): AuditLogListResponse {
    return { ...this.totalOf(found), logs: logs.map((log) => AuditLogEntry.of(log)) };
  }
}

export class KeyAuditResponse extends CappedPage {
  @ApiProperty({ type: [AuditLogEntry] })
  logs: AuditLogEntry[];

  static of({ found, logs }: AuditPage, offset: number): KeyAuditResponse {
    return { ...this.pageOf(found, offset, logs.length), logs: logs.map((log) => AuditLogEntry.of(log)) };
  }
}
