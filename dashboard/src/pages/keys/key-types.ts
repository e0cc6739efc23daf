import type { components, operations } from '../../api/schema';

/** The shapes of the keys section, as the gateway describes them. */
type Schemas = components['schemas'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type KeyQuota = Schemas['KeyQuotaResponse'];
export type DailyUsage = Schemas['DailyUsage'];
export type FailedKey = Schemas['FailedKey'];
export type ResetWindow = Schemas['QuotaResetResponse']['window'];
export type NewKey = Schemas['CreateApiKeyRequest'];
/** Only what is to be changed. */
export type KeyChanges = Partial<Schemas['UpdateApiKeyRequest']>;
export type KeyListQuery = NonNullable<operations['apiKeysList']['parameters']['query']>;
