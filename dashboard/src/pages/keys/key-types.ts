import type { components, operations } from '../../api/schema';

type Schemas = components['schemas'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type KeyQuota = Schemas['KeyQuotaResponse'];
export type DailyUsage = Schemas['DailyUsage'];
export type FailedKey = Schemas['FailedKey'];
export type ResetWindow = Schemas['QuotaResetResponse']['window'];
export type NewKey = Schemas['CreateApiKeyRequest'];
export type KeyChanges = Partial<Schemas['UpdateApiKeyRequest']>;
export type KeyListQuery = NonNullable<operations['apiKeysList']['parameters']['query']>;
