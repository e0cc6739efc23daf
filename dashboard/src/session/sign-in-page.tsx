import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Logo } from '../shell/logo';
import { SignInForm } from './sign-in-form';

export function SignInPage() {
  useDocumentTitle('Sign in · Gateway');
  return (
    <Center mih="100dvh" p="md" component="main" className="content">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Logo />
          <div>
            <Title order={1} size="h3">
              Sign in
            </Title>
            <Text c="dimmed" size="sm">
              Manage keys, models and limits.
            </Text>
          </div>
          <SignInForm />
        </Stack>
      </Paper>
    </Center>
  );
}
