import type { components, operations } from '../../api/schema';

export type AuditEntry = components['schemas']['AuditLogEntry'];
export type AuditQuery = NonNullable<operations['auditLogsList']['parameters']['query']>;
export type ActorType = AuditEntry['actor_type'];
