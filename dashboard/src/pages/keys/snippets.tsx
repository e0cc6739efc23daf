import { Stack, Title } from '@mantine/core';
import { CodeExamples } from '../../parts/code-examples';
import { snippetsOf } from './snippets.rules';
import { useSnippetModels } from './use-snippet-models';

interface Props {
  readonly secret: string;
  readonly allowedModels: readonly string[] | null;
}

export function Snippets({ secret, allowedModels }: Props) {
  const models = useSnippetModels(allowedModels);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Example request
      </Title>
      <CodeExamples examples={snippetsOf({ origin: location.origin, secret, ...models })} />
    </Stack>
  );
}
