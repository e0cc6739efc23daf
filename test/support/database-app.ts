import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { MIGRATIONS } from '../../migrations/all.js';
import { ChangesModule } from '../../src/platform/changes/changes.module.js';
import { Config } from '../../src/platform/config/config.js';
import { ConfigModule } from '../../src/platform/config/config.module.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';

/** Starts only the database modules. `env` contains further settings. */
export async function startDatabaseApp(
  url: string,
  env: Record<string, string> = {},
): Promise<INestApplicationContext> {
  const config = Config.from({ NODE_ENV: 'test', DATABASE_URL: url, ...env });
  const testing = await Test.createTestingModule({
    imports: [ConfigModule.with(config), DatabaseModule.with({ entities: [], migrations: MIGRATIONS }), ChangesModule],
  }).compile();
  testing.useLogger(false);
  return testing.init();
}
