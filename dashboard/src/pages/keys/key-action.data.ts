import type { KeyAction } from './key-calls';
import type { ApiKey } from './key-types';

interface KeyActionText {
  /** On buttons. */
  readonly verb: string;
  /** Of what has been done. */
  readonly done: string;
  /** What it means for those who call with the key. */
  readonly means: string;
  readonly danger: boolean;
}

/** What the actions are called and what is said before they are done. */
export const KEY_ACTIONS: Readonly<Record<KeyAction, KeyActionText>> = {
  suspend: {
    verb: 'Suspend',
    done: 'suspended',
    means: 'Requests are refused with 403 until the key is unsuspended. Its settings and counts stay.',
    danger: false,
  },
  unsuspend: { verb: 'Unsuspend', done: 'unsuspended', means: 'Requests are accepted again at once.', danger: false },
  rotate: {
    verb: 'Rotate',
    done: 'rotated',
    means:
      'The key gets a new secret, shown once. The old secret stops working at once: whoever uses it is refused until they have the new one. Id, limits, models and counts stay.',
    danger: true,
  },
  revoke: {
    verb: 'Revoke',
    done: 'revoked',
    means: 'Requests are refused from now on, for good. A revoked key cannot be brought back.',
    danger: true,
  },
};

/** What a key in this state can take. */
export const actionsOf = ({ status }: Pick<ApiKey, 'status'>): readonly KeyAction[] =>
  status === 'revoked' ? [] : [status === 'active' ? 'suspend' : 'unsuspend', 'rotate', 'revoke'];
