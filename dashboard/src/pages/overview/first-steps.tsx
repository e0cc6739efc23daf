import { Button, Code, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import { useMay } from '../../session/use-session';

/** The start of a new gateway: nothing can be asked of it before there is a key. */
export function FirstKey() {
  const mayCreate = useMay('admin');
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h3">
          Create your first key
        </Title>
        <Text>Whoever calls the gateway needs a key. There is none yet.</Text>
        <List type="ordered" spacing={4}>
          <List.Item>Create a key with its limits, models and expiry. Its text is shown once: copy it.</List.Item>
          <List.Item>
            Point a client at <Code>{`${location.origin}/v1`}</Code> and give it the key in place of a provider&apos;s.
          </List.Item>
          <List.Item>Come back: requests, tokens and errors show here within seconds.</List.Item>
        </List>
        {mayCreate ? (
          <Button component={Link} to="/keys/new">
            Create a key
          </Button>
        ) : (
          <Text size="sm">Your role reads only: ask an admin for a key.</Text>
        )}
      </Stack>
    </Paper>
  );
}

/** In place of the lists, where nothing was asked. */
export function FirstRequest({ when }: { readonly when: string }) {
  return (
    <Paper withBorder>
      <EmptyState title="No requests in this time">
        Nothing was asked of the gateway ({when}). Choose a longer time, or send a first request:
        <Code block mt="sm" ta="left">
          {`curl ${location.origin}/v1/models \\\n  -H "Authorization: Bearer sk-gw-…"`}
        </Code>
      </EmptyState>
    </Paper>
  );
}
