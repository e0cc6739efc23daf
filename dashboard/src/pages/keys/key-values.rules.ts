import type { ApiKey, KeyChanges, NewKey } from './key-types';
import type { Entered } from '../../parts/entered-number.rules';
import { isoOf, localMinuteOf } from '../../parts/local-time';

export interface KeyValues {
  readonly name: string;
  readonly rpm_limit: Entered;
  readonly rpd_limit: Entered;
  /** Empty if unlimited. */
  readonly monthly_limit: Entered;
  readonly monthly_token_limit: Entered;
  readonly token_counting: ApiKey['token_counting'];
  /** Empty if all models are allowed. */
  readonly allowed_models: readonly string[];
  /** The local time of a `datetime-local` input, or empty for never. */
  readonly expires_at: string;
  readonly team_id: string | null;
  readonly tags: readonly string[];
}

export type KeyField = keyof KeyValues;

export const NEW_KEY: KeyValues = {
  name: '',
  rpm_limit: 60,
  rpd_limit: 10_000,
  monthly_limit: '',
  monthly_token_limit: '',
  token_counting: 'specification',
  allowed_models: [],
  expires_at: '',
  team_id: null,
  tags: [],
};

export const valuesOf = (key: ApiKey): KeyValues => ({
  name: key.name,
  rpm_limit: key.rpm_limit,
  rpd_limit: key.rpd_limit,
  monthly_limit: key.monthly_limit ?? '',
  monthly_token_limit: key.monthly_token_limit ?? '',
  token_counting: key.token_counting,
  allowed_models: key.allowed_models ?? [],
  expires_at: key.expires_at === null ? '' : localMinuteOf(new Date(key.expires_at)),
  team_id: key.team_id,
  tags: key.tags,
});

export const newKeyOf = (values: KeyValues): NewKey => ({
  name: values.name.trim(),
  rpm_limit: Number(values.rpm_limit),
  rpd_limit: Number(values.rpd_limit),
  monthly_limit: limitOf(values.monthly_limit),
  monthly_token_limit: limitOf(values.monthly_token_limit),
  token_counting: values.token_counting,
  allowed_models: values.allowed_models.length === 0 ? null : [...values.allowed_models],
  expires_at: values.expires_at === '' ? null : isoOf(values.expires_at),
  team_id: values.team_id,
  tags: [...values.tags],
});

/** Returns the fields that differ from `before`. It compares an expiry by the minute, so that unedited seconds are kept. */
export function changedFields(values: KeyValues, before: KeyValues): readonly KeyField[] {
  const fields = Object.keys(before) as KeyField[];
  return fields.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(before[field]));
}

/** Returns only the changed fields, so that the update does not overwrite other operators' changes. */
export function changesOf(values: KeyValues, fields: readonly KeyField[]): KeyChanges {
  const all = newKeyOf(values);
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

function limitOf(entered: Entered): number | null {
  return entered === '' ? null : Number(entered);
}
