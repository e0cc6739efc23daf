import { Badge, Group } from '@mantine/core';

export function TagBadges({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="default" size="sm" tt="none" fw={400} maw="100%" title={tag}>
          {tag}
        </Badge>
      ))}
    </Group>
  );
}
