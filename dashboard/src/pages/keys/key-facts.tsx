import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Moment } from '../../parts/moment';
import { CopyButton } from '../../parts/copy-button';
import type { ApiKey } from './key-types';
import { StatusBadge } from './status-badge';

export function KeyFacts({ of: key }: { readonly of: ApiKey }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StatusBadge {...key} />
        <Code>{key.key_hint}</Code>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {key.id}
          </Text>
          <CopyButton text={key.id} label="Copy ID" />
        </Group>
      </Group>
      <Group gap="4px 20px">
        <Fact label="Created">
          <Moment at={key.created_at} />
        </Fact>
        <Fact label="Updated">
          <Moment at={key.updated_at} ago />
        </Fact>
        <Fact label="Last used">
          <Moment at={key.last_used_at} ago never="never" />
        </Fact>
        {key.revoked_at !== null && (
          <Fact label="Revoked">
            <Moment at={key.revoked_at} />
          </Fact>
        )}
      </Group>
      <Group gap="md">
        {LINKS.map(({ label, page }) => (
          <Anchor key={page} component={Link} to={`/${page}?key_id=${key.id}`} size="sm">
            {label}
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

const LINKS = [
  { label: 'Recent requests', page: 'requests' },
  { label: 'Statistics', page: 'statistics' },
  { label: 'Usage by model', page: 'usage' },
  { label: 'Costs', page: 'costs' },
] as const;

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Text size="sm" component="span">
      {label}: {children}
    </Text>
  );
}
