import { ApiKey } from '../keys/stores/api-key.entity.js';
import { ModelPolicy } from '../model-policy/stores/model-policy.entity.js';
import { StoredCatalog } from '../model-policy/stores/catalog.store.js';
import { Team } from '../keys/teams/stores/team.entity.js';

export const ENTITIES: Function[] = [ApiKey, ModelPolicy, StoredCatalog, Team];
