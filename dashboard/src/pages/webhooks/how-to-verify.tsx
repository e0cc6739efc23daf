import { Stack, Text } from '@mantine/core';
import { CodeExamples } from '../../parts/code-examples';
import { VERIFICATIONS } from './verification.data';

export function HowToVerify() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Deliveries are signed with the Standard Webhooks scheme. Verify the signature with the webhook’s secret before
        you trust a delivery. Respond with a 2xx status within 15 seconds. Anything else counts as a failure.
      </Text>
      <CodeExamples examples={VERIFICATIONS} />
    </Stack>
  );
}
