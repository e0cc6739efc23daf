import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width={24} height={24} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#4263eb" />
        <path
          d="M8 22V10h4v12M20 22V10h4v12M12 16h8"
          stroke="#fff"
          strokeWidth="2.5"
          fill="none"
          strokeLinecap="round"
        />
      </svg>
      <Text span fw={700} style={{ whiteSpace: 'nowrap' }}>
        Inference gateway
      </Text>
    </Group>
  );
}
