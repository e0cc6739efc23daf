import { Box, Code, Tabs, Text } from '@mantine/core';
import { CopyButton } from './copy-button';

export interface CodeExample {
  readonly id: string;
  readonly label: string;
  /** The command that installs the dependencies, or null if there are none. */
  readonly install: string | null;
  readonly code: string;
}

/** @param examples at least one */
export function CodeExamples({ examples }: { readonly examples: readonly CodeExample[] }) {
  return (
    <Tabs defaultValue={examples[0]!.id} keepMounted={false} variant="pills">
      <Tabs.List aria-label="Example language">
        {examples.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} px="xs" py={6}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {examples.map(({ id, label, install, code }) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          {install !== null && (
            <Text size="sm" mb="xs">
              Install: <Code>{install}</Code>
            </Text>
          )}
          <Box pos="relative">
            <Code
              block
              tabIndex={0}
              role="group"
              aria-label={`Example: ${label}`}
              bd="1px solid var(--mantine-color-default-border)"
              pt={36}
              style={{ overflowX: 'auto' }}
            >
              {code}
            </Code>
            <Box pos="absolute" top={6} right={6}>
              <CopyButton text={code} label="Copy example" />
            </Box>
          </Box>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
