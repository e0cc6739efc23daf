import { Stack, Text } from '@mantine/core';
import { changesIn, changeText, factsIn } from './audit-entry.rules';
import type { AuditEntry } from './audit-types';

const SHOWN = 3;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export function AuditChanges({ of: entry }: { readonly of: AuditEntry }) {
  const lines = linesOf(entry);
  if (lines.length === 0) return '–';
  return (
    <Stack gap={2} style={{ minWidth: 200, maxWidth: 440 }}>
      {lines.slice(0, SHOWN).map((line) => (
        <Text key={line} size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
      {lines.length > SHOWN && <Text size="xs">and {lines.length - SHOWN} more</Text>}
    </Stack>
  );
}

export const changesText = (entry: AuditEntry): string => linesOf(entry).join('; ');

const linesOf = (entry: AuditEntry): string[] => [
  ...changesIn(entry).map((change) => changeText(entry, change)),
  ...factsIn(entry).flatMap(({ name, value }) => (UUID.test(value) ? [] : [`${name}: ${value}`])),
];
