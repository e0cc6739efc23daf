import type { OpenAPIObject } from '@nestjs/swagger';
import type { DeclaredRoute } from '../routes/declared-routes.js';
import { describedPath } from './finish-document.js';

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Removes routes from the document, and the schemas that only they use. Changes `document` in place. */
export function dropRoutes(document: OpenAPIObject, routes: readonly DeclaredRoute[]): void {
  for (const { method, path } of routes) {
    const described = describedPath(path);
    const item = document.paths[described];
    if (item === undefined) continue;
    delete item[method.toLowerCase() as 'get'];
    if (Object.keys(item).length === 0) delete document.paths[described];
  }
  const schemas = document.components?.schemas ?? {};
  const used = new Set<string>();
  const use = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(name!)) continue;
      used.add(name!);
      use(schemas[name!] ?? {});
    }
  };
  use(document.paths);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}
