import { Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { CopyButton } from './copy-button';
import { snippetsOf } from './snippets.rules';
import { useSnippetModels } from './use-snippet-models';

interface Props {
  readonly secret: string;
  readonly allowedModels: readonly string[] | null;
}

/** How to call this gateway with the key, in several languages. */
export function Snippets({ secret, allowedModels }: Props) {
  const models = useSnippetModels(allowedModels);
  const snippets = snippetsOf({ origin: location.origin, secret, ...models });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        A first call
      </Title>
      <Tabs defaultValue="curl" keepMounted={false} variant="outline">
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, install, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Group justify="space-between" mb={4} mih={28}>
              {install === null ? (
                <span />
              ) : (
                <Text size="sm">
                  First <Code>{install}</Code>
                </Text>
              )}
              <CopyButton text={code} label="Copy the example" />
            </Group>
            <Code
              block
              tabIndex={0}
              aria-label={`Example: ${label}`}
              bd="1px solid var(--mantine-color-default-border)"
              style={{ overflowX: 'auto' }}
            >
              {code}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
