import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../src/platform/config/config.js';
import { declaredRoutes, type DeclaredRoute } from '../../src/platform/routes/declared-routes.js';
import { isEnabled } from '../../src/platform/routes/route-spec.js';

export function enabledRoutes(app: INestApplicationContext): DeclaredRoute[] {
  const config = app.get(Config);
  return declaredRoutes(app).filter(({ spec }) => isEnabled(spec, config));
}
