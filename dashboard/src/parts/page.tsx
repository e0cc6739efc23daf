import { Anchor, Breadcrumbs, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { clamped } from './clamped';

interface Props {
  readonly title: string;
  readonly above?: { readonly label: string; readonly to: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, above, actions, children }: Props) {
  useDocumentTitle(`${title} · Gateway`);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {above !== undefined && (
          <Breadcrumbs>
            <Anchor component={Link} to={above.to} size="sm">
              {above.label}
            </Anchor>
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title order={1} size="h2" {...clamped(title)}>
            {title}
          </Title>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}
