import { Alert, Button, Group, List, Text } from '@mantine/core';
import { ApiError } from '../api/api-error';

interface Props {
  readonly error: unknown;
  readonly retry?: () => void;
}

export function ErrorNotice({ error, retry }: Props) {
  const known = error instanceof ApiError ? error : null;
  const fields = known?.fields ?? [];
  return (
    <Alert color="red" role="alert" title={titleOf(known)}>
      {fields.length > 0 ? (
        <List size="sm">
          {fields.map(({ param, message }) => (
            <List.Item key={param}>{message}</List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{known?.message ?? 'An unexpected error occurred on this page.'}</Text>
      )}
      {known !== null && known.requestId !== null && (
        <Text size="xs" mt={4}>
          Request ID <code>{known.requestId}</code>
        </Text>
      )}
      {retry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function titleOf(error: ApiError | null): string {
  if (error === null) return 'Something went wrong';
  if (error.status === 0) return 'No connection';
  if (error.status === 403) return 'Your role does not allow this';
  if (error.status === 404) return 'Not found';
  if (error.status === 429) return 'Too many requests';
  if (error.status >= 500) return 'The gateway could not complete the request';
  if (error.fields.length > 0) return `Check ${error.fields.length} fields`;
  return error.param === null ? 'The request was rejected' : `Check “${error.param}”`;
}
