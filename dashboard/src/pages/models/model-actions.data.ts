import type { ModelRow } from './model-types';

export type ModelAction = 'allow' | 'block' | 'note' | 'remove' | 'probe';
export type PolicyAction = Exclude<ModelAction, 'probe'>;

interface ActionWords {
  readonly title: string;
  readonly verb: string;
  readonly done: string;
  readonly danger: boolean;
  readonly means: (row: ModelRow) => string;
}

export const BLOCKED_MEANS =
  'Within a second, requests for the model are rejected with 403 model_not_available for every key, and clients no longer see it in the model list. Requests in progress finish normally. You can allow the model again at any time.';

const RESET_MEANS =
  'This deletes the policy and its note. You can set a new policy at any time. Registry and catalog status apply again';

export const POLICY_ACTIONS: Readonly<Record<PolicyAction, ActionWords>> = {
  allow: {
    title: 'Allow this model?',
    verb: 'Allow',
    done: 'is allowed',
    danger: false,
    means: meansAllowed,
  },
  block: {
    title: 'Block this model?',
    verb: 'Block',
    done: 'is blocked',
    danger: true,
    means: () => BLOCKED_MEANS,
  },
  note: {
    title: 'Edit note',
    verb: 'Save',
    done: 'has a new note',
    danger: false,
    means: ({ enabled }) => `The model stays ${enabled === true ? 'allowed' : 'blocked'}.`,
  },
  remove: {
    title: 'Remove policy?',
    verb: 'Remove',
    done: 'no longer has a policy',
    danger: false,
    means: meansRemoved,
  },
};

function meansAllowed({ availability }: ModelRow): string {
  switch (availability) {
    case 'registry_broken':
      return 'The gateway serves requests for the model, although its registry marks the model as broken.';
    case 'listed_unavailable':
      return 'The last probe failed. Requests are rejected until a probe succeeds, even if you allow the model.';
    case 'allowlist_only':
      return 'The provider does not list the model. Requests are served if GW_PROFILE is “current”. Otherwise, they are rejected until the provider lists the model.';
    case 'callable':
    case 'unclassified':
    case 'allowlist_unverified':
      return 'Within a second, requests for the model are served for every key that is allowed to use it.';
  }
}

function meansRemoved({ enabled, availability }: ModelRow): string {
  const disappears = availability.startsWith('allowlist_')
    ? ' The model disappears from this list, because the provider does not list it.'
    : '';
  if (enabled === false)
    return `${RESET_MEANS}: the gateway serves a listed model unless it is marked broken or its last probe failed.${disappears}`;
  return availability === 'registry_broken'
    ? `${RESET_MEANS}: requests are rejected, because the registry marks the model as broken.`
    : `${RESET_MEANS}, as for any other model.${disappears}`;
}
