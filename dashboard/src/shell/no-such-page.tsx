import { Anchor, Button, Container, Stack, Text } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Page } from '../parts/page';

export function NoSuchPage() {
  return (
    <Page title="No such page">
      <Text>
        There is nothing at this address. It may have been mistyped, or what it showed may be gone.{' '}
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </Text>
    </Page>
  );
}

/** In place of a page that failed while it was shown, or that could not be loaded: after an upgrade the files have other names. */
export function BrokenPage() {
  const error = useRouteError();
  const isMissing = error instanceof Error && /module|import/i.test(error.message);
  return (
    <Container size="sm" py="xl">
      <Page title="This page cannot be shown">
        <Stack align="start">
          <Text>
            {isMissing
              ? 'It could not be loaded: the gateway may have been upgraded since you opened this tab, or the connection is gone.'
              : 'Something in it went wrong. If it happens again, tell whoever looks after the gateway what you did.'}
          </Text>
          <Button onClick={() => location.reload()}>Load the page anew</Button>
        </Stack>
      </Page>
    </Container>
  );
}
