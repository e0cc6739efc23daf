import { Anchor, Button, Container, Stack, Text } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Page } from '../parts/page';

export function NoSuchPage() {
  return (
    <Page title="Page not found">
      <Text>
        No page exists at this address. Check the address, or{' '}
        <Anchor component={Link} to="/">
          go to the overview
        </Anchor>
        .
      </Text>
    </Page>
  );
}

/** Replaces a page that failed to load or render. After an upgrade, old file names no longer exist. */
export function BrokenPage() {
  const error = useRouteError();
  const isMissing = error instanceof Error && /module|import/i.test(error.message);
  return (
    <Container size="sm" py="xl">
      <Page title="This page could not be displayed">
        <Stack align="start">
          <Text>
            {isMissing
              ? 'The page failed to load. Either the gateway was upgraded after you opened this tab, or the connection was lost.'
              : 'An unexpected error occurred. If it happens again, report the steps to the administrator of the gateway.'}
          </Text>
          <Button onClick={() => location.reload()}>Reload page</Button>
        </Stack>
      </Page>
    </Container>
  );
}
