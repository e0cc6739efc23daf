import type { Availability, Category, ModelRow } from './model-types';

interface AvailabilityWords {
  readonly label: string;
  readonly color: string;
  readonly means: string;
}

export const AVAILABILITIES: Readonly<Record<Availability, AvailabilityWords>> = {
  callable: {
    label: 'callable',
    color: 'green',
    means:
      'The provider lists the model, and the registry or a probe confirms it. Requests are served unless the model is blocked.',
  },
  unclassified: {
    label: 'unclassified',
    color: 'blue',
    means:
      'The provider lists the model, but nothing has verified it yet. Requests are served unless the model is blocked. Send a probe to verify it.',
  },
  listed_unavailable: {
    label: 'listed, unavailable',
    color: 'red',
    means:
      'The provider lists the model, but the last probe failed. Requests are rejected until a probe succeeds, even if the policy allows the model.',
  },
  registry_broken: {
    label: 'marked broken',
    color: 'orange',
    means:
      'The registry of this gateway marks the model as broken. Requests are rejected unless the policy allows the model.',
  },
  allowlist_only: {
    label: 'policy only',
    color: 'grape',
    means:
      'The model has a policy, but the provider does not list it. Requests are rejected, unless the policy allows the model and GW_PROFILE is “current”.',
  },
  allowlist_unverified: {
    label: 'policy, unverified',
    color: 'yellow',
    means:
      'The model has a policy, but the provider’s list is currently unavailable. The gateway cannot check whether the model exists.',
  },
};

export const AVAILABILITY_ORDER = Object.keys(AVAILABILITIES) as readonly Availability[];

export const CATEGORIES: Readonly<Record<Category, string>> = {
  chat: 'Chat',
  embedding: 'Embedding',
  image: 'Image',
  tts: 'Speech',
  transcription: 'Transcription',
  ocr: 'OCR',
};

export const policyOf = ({ enabled }: Pick<ModelRow, 'enabled'>): 'allowed' | 'blocked' | 'none' =>
  enabled === null ? 'none' : enabled ? 'allowed' : 'blocked';
