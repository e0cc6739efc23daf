import { Group, Tooltip } from '@mantine/core';
import { CAPABILITIES, CAPABILITY_ORDER } from './capabilities.data';
import type { Capability } from './model-types';

const SIZE = 18;

export function CapabilityMarks({ capabilities }: { readonly capabilities: readonly Capability[] }) {
  if (capabilities.length === 0) return '–';
  const known = CAPABILITY_ORDER.filter((name) => capabilities.includes(name));
  const words = known.map((name) => CAPABILITIES[name].label).join(', ');
  return (
    <Tooltip label={words} events={{ hover: true, focus: true, touch: true }}>
      <Group gap={6} wrap="nowrap" w="fit-content" role="img" aria-label={words} tabIndex={0}>
        {known.map((name) => (
          <CapabilityMark key={name} name={name} />
        ))}
      </Group>
    </Tooltip>
  );
}

export function CapabilityMark({ name }: { readonly name: Capability }) {
  return (
    <svg
      width={SIZE}
      height={SIZE}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      {CAPABILITIES[name].drawing}
    </svg>
  );
}
