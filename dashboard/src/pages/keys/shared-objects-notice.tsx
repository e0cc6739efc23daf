import { Alert, Text } from '@mantine/core';

/** D32: what a key does not keep to itself. */
export function SharedObjectsNotice() {
  return (
    <Alert color="blue" variant="outline" title="Keys share one provider account" maw={720}>
      <Text size="sm">
        Files, assistants, threads and vector stores are visible to every key. Put no personal data or credentials
        there.
      </Text>
    </Alert>
  );
}
