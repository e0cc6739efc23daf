import { test } from '@jest/globals';
import { createApp } from '../../src/app.factory.js';
import { Config } from '../../src/config/config.js';
test('x', async () => {
  const app = await createApp(Config.from({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: 'postgres://127.0.0.1:1/none', GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1', GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef' }));
  process.stdout.write(app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false }));
  await app.close();
});
