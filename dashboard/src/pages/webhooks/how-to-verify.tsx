import { Stack, Text } from '@mantine/core';
import { CodeExamples } from '../../parts/code-examples';
import { VERIFICATIONS } from './verification.data';

/** How a receiver checks the signature, in two languages. */
export function HowToVerify() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Messages are signed by the Standard Webhooks scheme: check the signature with the webhook’s secret before you
        believe one. Answer 2xx within 15 seconds; anything else counts as a failure.
      </Text>
      <CodeExamples examples={VERIFICATIONS} />
    </Stack>
  );
}
