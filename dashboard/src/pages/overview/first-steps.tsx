import { Button, Code, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import { useHasRole } from '../../session/use-session';

export function FirstKey() {
  const mayCreate = useHasRole('admin');
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h3">
          Create your first key
        </Title>
        <Text>Clients need an API key to call the gateway. No keys exist yet.</Text>
        <List type="ordered" spacing={4}>
          <List.Item>
            Create a key with its limits, models and expiry. Copy the raw key, which is shown only once.
          </List.Item>
          <List.Item>
            Set the base URL of a client to <Code>{`${location.origin}/v1`}</Code> and its API key to the new key.
          </List.Item>
          <List.Item>Return to this page. Requests, tokens and errors appear within seconds.</List.Item>
        </List>
        {mayCreate ? (
          <Button component={Link} to="/keys/new">
            Create key
          </Button>
        ) : (
          <Text size="sm">Your role is read-only. Ask an admin for a key.</Text>
        )}
      </Stack>
    </Paper>
  );
}

export function FirstRequest({ when }: { readonly when: string }) {
  return (
    <Paper withBorder>
      <EmptyState title="No requests in this period">
        The gateway admitted no requests ({when}). Choose a longer period, or send a request:
        <Code block mt="sm" ta="left">
          {`curl ${location.origin}/v1/models \\\n  -H "Authorization: Bearer sk-gw-…"`}
        </Code>
      </EmptyState>
    </Paper>
  );
}
