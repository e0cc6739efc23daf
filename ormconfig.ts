import { DataSource } from 'typeorm';
import { MIGRATIONS } from './migrations/all.js';
import { Config } from './src/config/config.js';
import { migrationOptions } from './src/database/data-source-options.js';
import { ENTITIES } from './src/entities.js';

const { databaseUrl } = Config.from(process.env);
if (databaseUrl === null)
  throw new Error('DATABASE_URL is not set: the embedded database is migrated by the start itself');

/** The data source of TypeORM's own command line: `npm run migration:run`, `:revert`, `:generate`. */
export default new DataSource({
  ...migrationOptions({ url: databaseUrl, migrations: MIGRATIONS }),
  entities: [...ENTITIES],
});
