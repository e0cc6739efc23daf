import { ApiKey } from './keys/stores/api-key.entity.js';
import { ModelPolicy } from './model-policy/stores/model-policy.entity.js';
import { StoredCatalog } from './model-policy/stores/catalog.store.js';

/** The one list of entities; app.module and ormconfig hand it to database/. */
export const ENTITIES: Function[] = [ApiKey, ModelPolicy, StoredCatalog];
