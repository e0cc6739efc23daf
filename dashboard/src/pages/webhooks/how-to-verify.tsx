import { Box, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { CopyButton } from '../keys/copy-button';
import { VERIFICATIONS } from './verification.data';

/** How a receiver checks the signature, in two languages. */
export function HowToVerify() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Messages are signed by the Standard Webhooks scheme: check the signature with the webhook’s secret before you
        believe one. Answer 2xx within 15 seconds; anything else counts as a failure.
      </Text>
      <Tabs defaultValue="typescript" keepMounted={false} variant="outline">
        <Tabs.List aria-label="Language of the example">
          {VERIFICATIONS.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VERIFICATIONS.map(({ id, label, install, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Text size="sm" mb="xs">
              First <Code>{install}</Code>
            </Text>
            <Box pos="relative">
              <Code
                block
                tabIndex={0}
                role="region"
                aria-label={`Example: ${label}`}
                pr={48}
                style={{ overflowX: 'auto' }}
              >
                {code}
              </Code>
              <Group pos="absolute" top={8} right={8}>
                <CopyButton text={code} label="Copy the example" />
              </Group>
            </Box>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
