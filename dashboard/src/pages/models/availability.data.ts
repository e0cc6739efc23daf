import type { Availability, Category, ModelRow } from './model-types';

interface AvailabilityWords {
  readonly label: string;
  readonly color: string;
  readonly means: string;
}

/** D12, D17: what is known of a model, and what that means for requests. */
export const AVAILABILITIES: Readonly<Record<Availability, AvailabilityWords>> = {
  callable: {
    label: 'callable',
    color: 'green',
    means: 'The provider lists it, and it is known to answer. Requests are served unless it is blocked.',
  },
  unclassified: {
    label: 'unclassified',
    color: 'blue',
    means:
      'The provider lists it; nobody here has verified it yet. Requests are served unless it is blocked. Probe it to find out.',
  },
  listed_unavailable: {
    label: 'listed, unavailable',
    color: 'red',
    means:
      'The provider lists it, but a probe failed. Requests are refused, even with an allow entry, until a probe succeeds.',
  },
  registry_broken: {
    label: 'marked broken',
    color: 'orange',
    means: 'The registry of this gateway marks it as broken. Requests are refused unless you allow it.',
  },
  allowlist_only: {
    label: 'policy only',
    color: 'grape',
    means:
      'There is a policy for it, but the provider does not list it. Requests are refused, unless the policy allows it and GW_PROFILE is current.',
  },
  allowlist_unverified: {
    label: 'policy, unverified',
    color: 'yellow',
    means:
      'There is a policy for it, and the provider’s list cannot be fetched at the moment, so nobody knows whether it exists.',
  },
};

/** In the order in which they are explained. */
export const AVAILABILITY_ORDER = Object.keys(AVAILABILITIES) as readonly Availability[];

export const CATEGORIES: Readonly<Record<Category, string>> = {
  chat: 'Chat',
  embedding: 'Embedding',
  image: 'Image',
  tts: 'Speech',
  transcription: 'Transcription',
  ocr: 'OCR',
};

/** What the operators decided. */
export const policyOf = ({ enabled }: Pick<ModelRow, 'enabled'>): 'allowed' | 'blocked' | 'none' =>
  enabled === null ? 'none' : enabled ? 'allowed' : 'blocked';
