import { fieldText as keyFieldText, FIELD_LABELS as KEY_FIELDS } from '../keys/field-text';
import { ACTIONS } from './audit-action.data';
import type { AuditEntry } from './audit-types';

/** One field that an entry changed, in words. */
interface AuditChange {
  readonly field: string;
  readonly label: string;
  readonly old: string;
  readonly now: string;
  /** What came to a list and what went from it: `+ a, - b`; null: one of the two is no list, or an empty one, which means all. */
  readonly difference: string | null;
}

/** What an entry tells beside its changes, in words. */
interface AuditFact {
  readonly name: string;
  readonly value: string;
}

/** Told on their own. */
const APART = new Set(['changes', 'actor_id', 'request_id', 'ip']);
const LABELS: Readonly<Record<string, string>> = {
  ...KEY_FIELDS,
  url: 'URL',
  events: 'Events',
  enabled: 'Enabled',
  disabled_reason: 'Switched off because',
  email: 'E-mail',
  role: 'Role',
  disabled: 'Disabled',
  note: 'Note',
  availability: 'Verdict of the probe',
  window: 'Window',
  verdict: 'Verdict',
  upstream_status: 'Status of the provider',
  purged: 'Read anew',
  run_id: 'Run',
  session_id: 'Session',
  sessions_ended: 'Sessions ended',
  operator_id: 'Operator',
  delivery_sent_again: 'Delivery sent again',
  event_id: 'Event',
  delivery_id: 'Delivery',
  via: 'By way of',
};
const NULL: Readonly<Record<string, string>> = {
  availability: 'never probed',
  verdict: 'told nothing',
  upstream_status: 'no answer',
};

/** What was done. */
export function actionText({ action, metadata }: AuditEntry): string {
  if (action === 'model_policy.set') return policyText(metadata['changes']);
  return (ACTIONS as Readonly<Record<string, string>>)[action] ?? action;
}

/** An allow and a block are one action; one that changes only the note is neither. */
function policyText(changes: unknown): string {
  const enabled = isRecord(changes) ? changes['enabled'] : undefined;
  if (!isRecord(enabled))
    return isRecord(changes) && 'note' in changes ? 'Note of a model changed' : ACTIONS['model_policy.set'];
  return enabled['new'] === true ? 'Model allowed' : 'Model blocked';
}

/** The fields that changed; of what has just been made only those that hold something. */
export function changesIn({ action, target_type, metadata }: AuditEntry): readonly AuditChange[] {
  const { changes } = metadata;
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([name, change]) => {
    if (!isRecord(change)) return [];
    if (action.endsWith('.created') && change['new'] === null) return [];
    // A webhook is enabled or not; a model is allowed or blocked.
    const field = target_type === 'model' && name === 'enabled' ? 'policy' : name;
    const { old, new: now } = change;
    const [label, difference] = [labelOf(field), listDifference(old, now)];
    return [{ field, label, old: textOf(field, old), now: textOf(field, now), difference }];
  });
}

/** `Name: a → b`; only the new where there was nothing before, and of two lists what came and went. */
export function changeText({ action }: AuditEntry, { label, old, now, difference }: AuditChange): string {
  if (action.endsWith('.created')) return `${label}: ${now}`;
  if (action.endsWith('.deleted')) return `${label}: ${old}`;
  return `${label}: ${difference ?? `${old} → ${now}`}`;
}

/** What else it tells; a name that a newer gateway has is shown as it is. */
export const factsIn = ({ metadata }: AuditEntry): readonly AuditFact[] =>
  Object.entries(metadata).flatMap(([name, value]) =>
    APART.has(name) ? [] : [{ name: labelOf(name), value: textOf(name, value) }],
  );

/** Text of the metadata; null where there is none of that name. */
export function metadataText({ metadata }: AuditEntry, name: string): string | null {
  const value = metadata[name];
  return typeof value === 'string' ? value : null;
}

/** What the entry itself calls its target: of what is gone nobody else knows. */
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
  return keyFieldText(field, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
