import { Box, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSearchState } from './use-search-state';

interface Props {
  readonly label: string;
  readonly names: readonly string[];
  readonly children: ReactNode;
}

export function CollapsibleFilters({ label, names, children }: Props) {
  const { get, set } = useSearchState();
  const [opened, { toggle }] = useDisclosure();
  const active = names.filter((name) => get(name) !== null).length;
  return (
    <div role="search" aria-label={label}>
      <Button hiddenFrom="sm" variant="default" size="xs" aria-expanded={opened} onClick={toggle}>
        {active === 0 ? 'Filters' : `Filters (${active})`}
      </Button>
      <Box visibleFrom={opened ? undefined : 'sm'} mt={opened ? 'sm' : 0}>
        <Group align="end" gap="sm">
          {children}
          {active > 0 && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}
            >
              Clear
            </Button>
          )}
        </Group>
      </Box>
    </div>
  );
}
