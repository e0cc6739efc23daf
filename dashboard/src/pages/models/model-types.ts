import type { components, operations } from '../../api/schema';

type Schemas = components['schemas'];
export type ModelRow = Schemas['ModelAllowlistRow'];
export type Availability = ModelRow['availability'];
export type Category = NonNullable<ModelRow['category']>;
export type Capability = ModelRow['capabilities'][number];
export type ProbedModel = Schemas['ProbedModelResponse'];
export type Purged = Schemas['PurgedCacheResponse']['purged'][number];
export type ModelListQuery = NonNullable<operations['modelAllowlistList']['parameters']['query']>;
