import { DataSource } from 'typeorm';
import { MIGRATIONS } from './migrations/all.js';
import { Config } from './src/platform/config/config.js';
import { migrationOptions } from './src/platform/database/data-source-options.js';
import { ENTITIES } from './src/start/entities.js';

const { databaseUrl } = Config.from(process.env);
if (databaseUrl === null)
  throw new Error(
    'Set DATABASE_URL, or PGHOST and PGDATABASE. The gateway migrates its embedded database at start-up.',
  );

/** The data source for TypeORM's command line: `npm run migration:run`, `:revert`, and `:generate`. */
export default new DataSource({
  ...migrationOptions({ url: databaseUrl, migrations: MIGRATIONS }),
  entities: [...ENTITIES],
});
