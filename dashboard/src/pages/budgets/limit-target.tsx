import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Limit } from './limit-types';

type Target = Pick<Limit, 'scope' | 'team_id' | 'key_id' | 'tag'>;

export interface TargetNames {
  readonly team: (id: string) => string;
  readonly key: (id: string) => string;
}

/** Formats `Team Research`, `Key billing`, `Tag prod` or `Account`. */
export function targetText({ scope, team_id, key_id, tag }: Target, names: TargetNames): string {
  switch (scope) {
    case 'account':
      return 'Account';
    case 'team':
      return `Team ${names.team(team_id ?? '')}`;
    case 'key':
      return `Key ${names.key(key_id ?? '')}`;
    case 'tag':
      return `Tag ${tag}`;
    default:
      return scope satisfies never;
  }
}

interface Props {
  readonly of: Target;
  readonly names: TargetNames;
}

export function LimitTarget({ of: target, names }: Props) {
  const text = targetText(target, names);
  const to = pathOf(target);
  return (
    <Text size="xs" component="div" {...clamped(text)}>
      {to === null ? (
        text
      ) : (
        <Anchor component={Link} to={to} inherit>
          {text}
        </Anchor>
      )}
    </Text>
  );
}

function pathOf({ scope, team_id, key_id, tag }: Target): string | null {
  if (scope === 'team') return `/teams/${team_id}`;
  if (scope === 'key') return `/keys/${key_id}`;
  return scope === 'tag' ? `/keys?tag=${encodeURIComponent(tag ?? '')}` : null;
}
