import { Anchor, Badge, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { Moment } from '../../parts/moment';
import { limit } from '../../parts/numbers';
import { TagBadges } from '../../parts/tag-badges';
import { useTeamNames } from '../../parts/team-queries';
import { FIELD_LABELS, fieldText } from './field-text';
import type { ApiKey } from './key-types';

export function KeySettings({ of: key }: { readonly of: ApiKey }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Settings">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Settings
        </Title>
        <Table variant="vertical" layout="auto">
          <Table.Tbody>
            <Table.Tr>
              <Table.Th>Team</Table.Th>
              <Table.Td>
                <Team id={key.team_id} />
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Tags</Table.Th>
              <Table.Td>{key.tags.length === 0 ? 'none' : <TagBadges tags={key.tags} />}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Requests per minute</Table.Th>
              <Table.Td>{limit(key.rpm_limit)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Requests per day</Table.Th>
              <Table.Td>{limit(key.rpd_limit)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Requests per month</Table.Th>
              <Table.Td>{limit(key.monthly_limit)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Tokens per month</Table.Th>
              <Table.Td>{limit(key.monthly_token_limit)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{FIELD_LABELS.token_counting}</Table.Th>
              <Table.Td>{fieldText('token_counting', key.token_counting)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Expires</Table.Th>
              <Table.Td>
                <Moment at={key.expires_at} never="never" />
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Models</Table.Th>
              <Table.Td>
                <AllowedModels models={key.allowed_models} />
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  );
}

function Team({ id }: { readonly id: string | null }) {
  const nameOf = useTeamNames();
  if (id === null) return 'none';
  return (
    <Anchor component={Link} to={`/teams/${id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {nameOf(id)}
    </Anchor>
  );
}

function AllowedModels({ models }: { readonly models: readonly string[] | null }) {
  if (models === null) return <Text size="sm">All models that the gateway allows</Text>;
  return (
    <Group gap={4}>
      {models.map((model) => (
        <Badge key={model} variant="default" tt="none" fw={400} style={{ maxWidth: '100%' }}>
          {model}
        </Badge>
      ))}
    </Group>
  );
}
