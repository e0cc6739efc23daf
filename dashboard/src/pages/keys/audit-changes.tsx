import { Stack, Text } from '@mantine/core';
import { changesIn, listDifference, type AuditChange } from './audit-entry.rules';
import { FIELD_LABELS, fieldText } from './field-text';
import type { AuditEntry } from './key-types';

/** What an entry changed, a line for each field: old → new. */
export function AuditChanges({ of: entry }: { readonly of: AuditEntry }) {
  const changes = changesIn(entry);
  if (changes.length === 0) return '–';
  const created = entry.action === 'api_key.created';
  return (
    <Stack gap={2}>
      {changes.map((change) => (
        <Text key={change.field} size="sm" style={{ overflowWrap: 'anywhere', minWidth: 220 }}>
          {FIELD_LABELS[change.field] ?? change.field}: {created ? fieldText(change.field, change.now) : textOf(change)}
        </Text>
      ))}
    </Stack>
  );
}

function textOf({ field, old, now }: AuditChange): string {
  const difference = listDifference(old, now);
  if (difference === null) return `${fieldText(field, old)} → ${fieldText(field, now)}`;
  const { added, removed } = difference;
  return [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)].join(', ');
}
