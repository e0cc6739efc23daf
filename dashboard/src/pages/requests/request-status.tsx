import { Badge } from '@mantine/core';

const COLORS = [
  { from: 500, color: 'red' },
  { from: 400, color: 'orange' },
  { from: 0, color: 'green' },
] as const;
const CLIENT_GONE = 499;

export function RequestStatus({ status }: { readonly status: number }) {
  const color = status === CLIENT_GONE ? 'gray' : COLORS.find(({ from }) => status >= from)?.color;
  return (
    <Badge
      color={color}
      variant="dot"
      fw={600}
      miw="max-content"
      title={status === CLIENT_GONE ? 'The client disconnected first' : undefined}
    >
      {status}
    </Badge>
  );
}
