import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { contextOf } from '../request-context/context.decorator.js';
import { routeSpecOf } from '../routes/route-spec.js';

/** Puts what the handler declares into the context. A handler that declares nothing is refused (Nest's 403): the start should not have let it through. */
@Injectable()
export class RouteGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const route = routeSpecOf(host.getHandler());
    contextOf(host).route = route ?? null;
    return route !== undefined;
  }
}
