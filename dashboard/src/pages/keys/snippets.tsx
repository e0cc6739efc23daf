import { Box, Code, Stack, Tabs, Text, Title } from '@mantine/core';
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
      <Tabs defaultValue="curl" keepMounted={false} variant="pills">
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id} px="xs" py={6}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, install, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            {install !== null && (
              <Text size="sm" mb="xs">
                First <Code>{install}</Code>
              </Text>
            )}
            <Box pos="relative">
              <Code
                block
                tabIndex={0}
                aria-label={`Example: ${label}`}
                bd="1px solid var(--mantine-color-default-border)"
                pt={36}
                style={{ overflowX: 'auto' }}
              >
                {code}
              </Code>
              <Box pos="absolute" top={6} right={6}>
                <CopyButton text={code} label="Copy the example" />
              </Box>
            </Box>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
