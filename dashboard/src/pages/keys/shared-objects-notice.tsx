import { Alert, Text } from '@mantine/core';

/** Warns that keys share the objects of the provider account (D32). */
export function SharedObjectsNotice() {
  return (
    <Alert color="blue" variant="outline" title="Keys share one provider account" maw={720}>
      <Text size="sm">
        Files, assistants, threads and vector stores are visible to every key. Do not store personal data or credentials
        in them.
      </Text>
    </Alert>
  );
}
