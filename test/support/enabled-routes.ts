import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../src/config/config.js';
import { declaredRoutes, type DeclaredRoute, isEnabled } from '../../src/routes/declared-routes.js';

export function enabledRoutes(app: INestApplicationContext): DeclaredRoute[] {
  const config = app.get(Config);
  return declaredRoutes(app).filter(({ spec }) => isEnabled(spec, config));
}
