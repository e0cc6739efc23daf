import type { ModelRow } from './model-types';

export type ModelAction = 'allow' | 'block' | 'note' | 'remove' | 'probe';
export type PolicyAction = Exclude<ModelAction, 'probe'>;

interface ActionWords {
  readonly title: string;
  readonly verb: string;
  /** After the model. */
  readonly done: string;
  readonly danger: boolean;
  readonly means: (row: ModelRow) => string;
}

/** What a block brings about. */
export const BLOCKED_MEANS =
  'Within a second every request for it is refused with 403 model_not_available, whatever key it comes with, and it is no longer in the list of models. Requests under way end as usual.';

/** As the command line says it. */
const RESET_MEANS = 'It goes by registry and catalog again';

/** What is asked before the policy is changed. */
export const POLICY_ACTIONS: Readonly<Record<PolicyAction, ActionWords>> = {
  allow: {
    title: 'Allow the model?',
    verb: 'Allow',
    done: 'is allowed',
    danger: false,
    means: meansAllowed,
  },
  block: {
    title: 'Block the model?',
    verb: 'Block',
    done: 'is blocked',
    danger: true,
    means: () => BLOCKED_MEANS,
  },
  note: {
    title: 'Change the note',
    verb: 'Save',
    done: 'has a new note',
    danger: false,
    means: ({ enabled }) => `The model stays ${enabled === true ? 'allowed' : 'blocked'}.`,
  },
  remove: {
    title: 'Remove the policy?',
    verb: 'Remove',
    done: 'goes by registry and catalog again',
    danger: false,
    means: meansRemoved,
  },
};

function meansAllowed({ availability }: ModelRow): string {
  switch (availability) {
    case 'registry_broken':
      return 'The gateway will route it although its registry marks it as broken.';
    case 'listed_unavailable':
      return 'A probe of it failed, so requests stay refused until a probe succeeds, allowed or not.';
    case 'allowlist_only':
      return 'The provider does not list it. Requests are served if GW_PROFILE is current; otherwise they stay refused until it does.';
    case 'callable':
    case 'unclassified':
    case 'allowlist_unverified':
      return 'Requests for it are served within a second, as far as the allowlist of the key goes.';
  }
}

function meansRemoved({ enabled, availability }: ModelRow): string {
  const gone = availability.startsWith('allowlist_')
    ? ' It leaves this list, since the provider does not list it.'
    : '';
  if (enabled === false)
    return `${RESET_MEANS}: it is served if the provider lists it and it is known to answer.${gone}`;
  return availability === 'registry_broken'
    ? `${RESET_MEANS}: the gateway will refuse it, since its registry marks it as broken.`
    : `${RESET_MEANS}, as any other model.${gone}`;
}
