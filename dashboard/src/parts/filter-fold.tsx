import { Box, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSearchState } from './use-search-state';

interface Props {
  /** For screen readers: `Filter requests`. */
  readonly label: string;
  /** Their names in the address bar. */
  readonly names: readonly string[];
  readonly children: ReactNode;
}

/** Filters of a list, and a button that clears them. On a phone they are folded away: the list is what one came for. */
export function FilterFold({ label, names, children }: Props) {
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
