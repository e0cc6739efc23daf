import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export interface RouterRoute {
  readonly method: string;
  /** As the router knows it: `/v1/files/:file_id`. */
  readonly path: string;
}

/** Every method and path that the server itself answers to, read from the router's own drawing of its tree. */
export function routerRoutes(app: NestFastifyApplication): RouterRoute[] {
  // The tree as it is: the other drawing loses what stands before a wildcard.
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
