import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export interface RouterRoute {
  readonly method: string;
  /** In the router's syntax, for example `/v1/files/:file_id`. */
  readonly path: string;
}

/** Returns every method and path of the server, parsed from the router's printed tree. */
export function routerRoutes(app: NestFastifyApplication): RouterRoute[] {
  // Without `commonPrefix`, the printed tree omits the text before a wildcard.
  const drawing = app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: true });
  const above: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S*) ?(?:\((.*)\))?$/.exec(line);
    if (match === null) return [];
    const [, indent, part, methods] = match;
    above.length = indent!.length / 4;
    above.push(part!);
    const path = above.join('');
    return methods === undefined ? [] : methods.split(', ').map((method) => ({ method, path }));
  });
}

export const nameOf = ({ method, path }: RouterRoute): string => `${method} ${path}`;
