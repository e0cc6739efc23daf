import type { MigrationInterface } from 'typeorm';
import { ApiKeys1790000001000 } from './1790000001000-api-keys.js';

/** Every migration in the order of its number. Written out: a glob would find other files in `dist/` than here. */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [ApiKeys1790000001000];
