import type { KeyAction } from './key-calls';
import type { ApiKey } from './key-types';

interface KeyActionText {
  readonly verb: string;
  readonly done: string;
  readonly means: string;
  readonly danger: boolean;
}

export const KEY_ACTIONS: Readonly<Record<KeyAction, KeyActionText>> = {
  suspend: {
    verb: 'Suspend',
    done: 'suspended',
    means:
      'Requests with a suspended key are rejected with 403 until you unsuspend it. Its settings and counts do not change.',
    danger: false,
  },
  unsuspend: {
    verb: 'Unsuspend',
    done: 'unsuspended',
    means: 'Requests are accepted again immediately, unless the key has expired. You can suspend it again at any time.',
    danger: false,
  },
  rotate: {
    verb: 'Rotate',
    done: 'rotated',
    means:
      'The gateway generates a new raw key and shows it once. The old raw key stops working immediately, and requests with it are rejected. The ID, limits, models and counts do not change. You cannot undo this.',
    danger: true,
  },
  revoke: {
    verb: 'Revoke',
    done: 'revoked',
    means: 'Requests with a revoked key are rejected permanently. You cannot undo this.',
    danger: true,
  },
};

export const actionsOf = ({ status }: Pick<ApiKey, 'status'>): readonly KeyAction[] =>
  status === 'revoked' ? [] : [status === 'active' ? 'suspend' : 'unsuspend', 'rotate', 'revoke'];
