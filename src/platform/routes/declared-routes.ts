import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { routeSpecOf, type RouteSpec } from './route-spec.js';

export interface DeclaredRoute {
  readonly method: string;
  /** As written in the decorators, joined: `/admin/api-keys/:id`. */
  readonly path: string;
  readonly handler: string;
  readonly handle: object;
  readonly spec: RouteSpec | undefined;
}

export const declaredRoutes = (app: INestApplicationContext): DeclaredRoute[] =>
  declaredRoutesOf(app.get(ModulesContainer));

export function declaredRoutesOf(modules: ModulesContainer): DeclaredRoute[] {
  const scanner = new MetadataScanner();
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const prototype = metatype.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((name): DeclaredRoute[] => {
      const handler = prototype[name]!;
      const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
      if (typeof method !== 'number') return [];
      const path = [metatype, handler].map((at) => String([Reflect.getMetadata(PATH_METADATA, at) ?? ''].flat()[0]));
      return [
        {
          method: RequestMethod[method]!,
          path: `/${path
            .map((part) => part.replace(/^\/|\/$/g, ''))
            .filter((part) => part !== '')
            .join('/')}`,
          handler: `${metatype.name}.${name}`,
          handle: handler,
          spec: routeSpecOf(handler),
        },
      ];
    });
  });
}

/** Stops startup, because an undeclared handler could be unprotected or unreachable. */
export function requireDeclaredRoutes(app: INestApplicationContext): void {
  const undeclared = declaredRoutes(app).filter(({ spec }) => spec === undefined);
  if (undeclared.length > 0) {
    throw new Error(
      `Routes without @GatewayRoute, @AdminRoute, @DashboardRoute or @Public: ${undeclared.map(({ handler }) => handler).join(', ')}`,
    );
  }
}
