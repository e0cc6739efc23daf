import { fieldText as keyFieldText, FIELD_LABELS as KEY_FIELDS } from '../keys/field-text';
import { AUDIT_ACTION_LABELS } from '../../api/audit-actions.data';
import type { AuditEntry } from './audit-types';

interface AuditChange {
  readonly field: string;
  readonly label: string;
  readonly old: string;
  readonly now: string;
  /** The difference of two lists, such as `+ a, - b`. It is null if one of them is empty, because an empty list means all. */
  readonly difference: string | null;
}

interface AuditFact {
  readonly name: string;
  readonly value: string;
}

const APART = new Set(['changes', 'actor_id', 'request_id', 'ip']);
const LABELS: Readonly<Record<string, string>> = {
  ...KEY_FIELDS,
  url: 'URL',
  events: 'Events',
  enabled: 'Enabled',
  disabled_reason: 'Disabled reason',
  email: 'Email',
  role: 'Role',
  disabled: 'Disabled',
  note: 'Note',
  availability: 'Probe verdict',
  window: 'Period',
  verdict: 'Verdict',
  upstream_status: 'Provider status',
  purged: 'Purged',
  run_id: 'Run',
  session_id: 'Session',
  sessions_ended: 'Sessions ended',
  operator_id: 'Operator',
  delivery_sent_again: 'Delivery retried',
  event_id: 'Event',
  delivery_id: 'Delivery',
  via: 'Via',
  key_id: 'Key',
  tag: 'Tag',
  time_zone: 'Time zone',
  starts_at: 'Starts',
  ends_at: 'Ends',
  alert_thresholds: 'Alert thresholds',
  carry_over: 'Carry-over',
};
const NULL: Readonly<Record<string, string>> = {
  availability: 'never probed',
  verdict: 'inconclusive',
  upstream_status: 'no response',
};

export function actionText({ action, metadata }: AuditEntry): string {
  if (action === 'model_policy.set') return policyText(metadata['changes']);
  return (AUDIT_ACTION_LABELS as Readonly<Record<string, string>>)[action] ?? action;
}

/** Allow, block and note changes share one action. */
function policyText(changes: unknown): string {
  const enabled = isRecord(changes) ? changes['enabled'] : undefined;
  if (!isRecord(enabled))
    return isRecord(changes) && 'note' in changes ? 'Model note changed' : AUDIT_ACTION_LABELS['model_policy.set'];
  return enabled['new'] === true ? 'Model allowed' : 'Model blocked';
}

/** Returns the changed fields. A creation omits fields that are null. */
export function changesIn({ action, target_type, metadata }: AuditEntry): readonly AuditChange[] {
  const { changes } = metadata;
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([name, change]) => {
    if (!isRecord(change)) return [];
    if (action.endsWith('.created') && change['new'] === null) return [];
    // For a model, `enabled` means allowed or blocked.
    const field = target_type === 'model' && name === 'enabled' ? 'policy' : name;
    const { old, new: now } = change;
    const [label, difference] = [labelOf(field), listDifference(old, now)];
    return [{ field, label, old: textOf(field, old), now: textOf(field, now), difference }];
  });
}

/** Formats `Name: a → b`, only one value for a creation or deletion, or the difference of two lists. */
export function changeText({ action }: AuditEntry, { label, old, now, difference }: AuditChange): string {
  if (action.endsWith('.created')) return `${label}: ${now}`;
  if (action.endsWith('.deleted')) return `${label}: ${old}`;
  return `${label}: ${difference ?? `${old} → ${now}`}`;
}

/** Returns the other metadata. Names from a newer gateway get a generated label. */
export const factsIn = ({ metadata }: AuditEntry): readonly AuditFact[] =>
  Object.entries(metadata).flatMap(([name, value]) =>
    APART.has(name) ? [] : [{ name: labelOf(name), value: textOf(name, value) }],
  );

export function metadataText({ metadata }: AuditEntry, name: string): string | null {
  const value = metadata[name];
  return typeof value === 'string' ? value : null;
}

/** Returns the target's name from the entry, the only source for deleted targets. */
export function nameIn({ metadata: { changes } }: AuditEntry): string | null {
  if (!isRecord(changes)) return null;
  const named = changes['name'] ?? changes['url'];
  const name = isRecord(named) ? (named['new'] ?? named['old']) : null;
  return typeof name === 'string' ? name : null;
}

function listDifference(old: unknown, now: unknown): string | null {
  const [before, after] = [namesOf(old), namesOf(now)];
  if (before === null || after === null) return null;
  const added = after.filter((name) => !before.includes(name)).map((name) => `+ ${name}`);
  const removed = before.filter((name) => !after.includes(name)).map((name) => `- ${name}`);
  return added.length + removed.length === 0 ? null : [...added, ...removed].join(', ');
}

function namesOf(value: unknown): string[] | null {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : null;
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return LABELS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(field: string, value: unknown): string {
  if (field === 'policy') return value === null ? 'none' : value === true ? 'allowed' : 'blocked';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null && field in NULL) return NULL[field]!;
  if (isRecord(value)) return partsOf(value);
  return keyFieldText(field, value);
}

/** Formats the parts of an object, such as a top-up: `amount: 25, note: none`. */
const partsOf = (value: Record<string, unknown>): string =>
  Object.entries(value)
    .map(([name, part]) => `${name.replaceAll('_', ' ')}: ${textOf(name, part)}`)
    .join(', ');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
