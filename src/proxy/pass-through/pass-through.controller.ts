import { Controller, Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../request-context/context.decorator.js';
import type { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import type { ForwardPlan } from '../forward-plan.js';
import { ForwardService } from '../forward.service.js';
import { ModelIfAny } from './model-if-any.request.dto.js';
import type { PassThroughFamily, PassThroughRoute } from './pass-through-route.js';
import { PassThroughDoc } from './pass-through.doc.js';
import { PASS_THROUGH } from './pass-through.routes.data.js';

type Handler = (
  this: PassThroughController,
  ctx: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/**
 * Files, assistants, threads and vector stores. One handler a row of the table, declared as if it were written out, so
 * that the router, the stages and the API description see each route by itself.
 */
@Controller()
export class PassThroughController {
  static {
    for (const family of PASS_THROUGH) {
      for (const route of family.routes) {
        const plan: ForwardPlan = { answersFile: route.gives === 'file' };
        declare(this.prototype, { route, family }, function (ctx, request, reply) {
          const asItCame = route.body === 'upload' ? { ...plan, body: request.raw } : plan;
          return this.forwarder.forward(ctx, request, reply, asItCame);
        });
      }
    }
  }

  constructor(private readonly forwarder: ForwardService) {}
}

/** What decorators would do to a method written out in the class. */
function declare(
  prototype: object,
  { route, family }: { route: PassThroughRoute; family: PassThroughFamily },
  handler: Handler,
): void {
  const { name, method, path } = route;
  const body = route.body ?? (method === 'POST' ? 'opaque' : 'none');
  Object.defineProperty(handler, 'name', { value: name });
  const descriptor = { value: handler, configurable: true, writable: true };
  Object.defineProperty(prototype, name, descriptor);
  const context = body === 'json' ? ValidRequest(ModelIfAny) : Context();
  for (const [at, parameter] of [context, Req(), Res()].entries()) parameter(prototype, name, at);
  Reflect.defineMetadata('design:paramtypes', [Object, Object, Object], prototype, name);
  for (const decorate of [
    RequestMapping({ method: RequestMethod[method], path: path.replace(/\{(\w+)\}/g, ':$1') }),
    GatewayRoute({ endpoint: path, body, model: route.model ?? (body === 'json' ? 'gated' : 'none') }),
    PassThroughDoc(route, family),
  ]) {
    decorate(prototype, name, descriptor);
  }
}
