import type { ApiKey, KeyChanges, NewKey } from './key-types';
import { isoOf, localMinuteOf } from '../../parts/local-time';

/** A number as the input holds it; '' is empty. */
type Entered = number | string;

/** What the form holds, by the API's names. */
export interface KeyValues {
  readonly name: string;
  readonly rpm_limit: Entered;
  readonly rpd_limit: Entered;
  /** Empty: unlimited. */
  readonly monthly_limit: Entered;
  readonly monthly_token_limit: Entered;
  /** Empty: all. */
  readonly allowed_models: readonly string[];
  /** Local, as an input of type datetime-local holds it; empty: never. */
  readonly expires_at: string;
}

export type KeyField = keyof KeyValues;

/** The gateway's own defaults. */
export const NEW_KEY: KeyValues = {
  name: '',
  rpm_limit: 60,
  rpd_limit: 10_000,
  monthly_limit: '',
  monthly_token_limit: '',
  allowed_models: [],
  expires_at: '',
};

export const valuesOf = (key: ApiKey): KeyValues => ({
  name: key.name,
  rpm_limit: key.rpm_limit,
  rpd_limit: key.rpd_limit,
  monthly_limit: key.monthly_limit ?? '',
  monthly_token_limit: key.monthly_token_limit ?? '',
  allowed_models: key.allowed_models ?? [],
  expires_at: key.expires_at === null ? '' : localMinuteOf(new Date(key.expires_at)),
});

export const newKeyOf = (values: KeyValues): NewKey => ({
  name: values.name.trim(),
  rpm_limit: Number(values.rpm_limit),
  rpd_limit: Number(values.rpd_limit),
  monthly_limit: limitOf(values.monthly_limit),
  monthly_token_limit: limitOf(values.monthly_token_limit),
  allowed_models: values.allowed_models.length === 0 ? null : [...values.allowed_models],
  expires_at: values.expires_at === '' ? null : isoOf(values.expires_at),
});

/** Whose entered value is another than `before`. The minutes of an expiry are compared, so that its seconds survive. */
export function changedFields(values: KeyValues, before: KeyValues): readonly KeyField[] {
  const fields = Object.keys(before) as KeyField[];
  return fields.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(before[field]));
}

/** Only these fields: what somebody else has changed meanwhile stays. */
export function changesOf(values: KeyValues, fields: readonly KeyField[]): KeyChanges {
  const all = newKeyOf(values);
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

function limitOf(entered: Entered): number | null {
  return entered === '' ? null : Number(entered);
}
