import { Controller, Req, RequestMapping, RequestMethod, Res, applyDecorators } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiHeader, ApiQuery, ApiSecurity } from '@nestjs/swagger';
import { Context, ValidRequest } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute, isStreamed } from '../../platform/routes/route-spec.js';
import type { JsonObject } from '../../platform/validation/check.js';
import type { ForwardPlan } from '../forward-plan.js';
import { ForwardService } from '../forward.service.js';
import { BatchFileCheck } from './batch-file-check.service.js';
import { StoredModelCheck } from './stored-model-check.service.js';
import { OWN_RESULTS_URL, type PassThroughFamily, type PassThroughRoute } from './pass-through-route.js';
import { ModelIfAny, FormUpload } from './pass-through.dto.js';
import { PASS_THROUGH } from './pass-through.routes.data.js';
import { BYTES, FORM_TYPE, JSON_TYPE, OperationDoc, TEXT, type OperationDescription } from '../operation.doc.js';

const PassThroughDoc = (route: PassThroughRoute, family: PassThroughFamily): MethodDecorator =>
  applyDecorators(
    OperationDoc({
      tag: family.tag,
      id: route.name,
      summary: route.summary,
      description: `Forwarded unchanged. ${family.note}`.trimEnd(),
      pathIds: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      ...bodyOf(route),
      ...responseOf(route),
    }),
    ...Object.entries(route.query ?? {}).map(([name, { type, description }]) =>
      ApiQuery({ name, description, required: false, schema: { type } }),
    ),
    ...(family.assistants === true ? [BETA_HEADER] : []),
    ...(family.api === 'anthropic' ? [ApiSecurity('x_api_key')] : []),
    ...(family.api === 'anthropic' || family.sharedPath === true ? [VERSION_HEADER] : []),
  );

const BETA_HEADER = ApiHeader({
  name: 'OpenAI-Beta',
  description: 'Forwarded. The provider can require `assistants=v2`.',
  required: false,
  schema: { type: 'string', example: 'assistants=v2' },
});

const VERSION_HEADER = ApiHeader({
  name: 'anthropic-version',
  description: 'Forwarded. If both vendors serve the path, it directs the request to Anthropic.',
  required: false,
  schema: { type: 'string', example: '2023-06-01' },
});

function bodyOf({ body, takes }: PassThroughRoute): Pick<OperationDescription, 'takes' | 'optional' | 'types'> {
  switch (body) {
    case undefined:
      return { takes, optional: true };
    case 'upload':
      return { takes: takes ?? FormUpload, types: [FORM_TYPE] };
    case 'streamed':
      return { takes: takes ?? FormUpload, types: [FORM_TYPE, JSON_TYPE], optional: true };
    case 'json':
      return { takes: takes ?? ModelIfAny };
    case 'multipart':
      return { takes: takes ?? ModelIfAny, types: [FORM_TYPE] };
    case 'either':
      return { takes: takes ?? ModelIfAny, types: [FORM_TYPE, JSON_TYPE] };
    default:
      return body satisfies never;
  }
}

const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

function responseOf({ gives, streams }: PassThroughRoute): Pick<OperationDescription, 'gives' | 'response'> {
  if (gives === 'file') return { gives: { 'application/octet-stream': BYTES }, response: 'The bytes of the file.' };
  if (gives === 'zip') return { gives: { 'application/zip': BYTES }, response: 'The archive.' };
  if (gives === 'lines') return { gives: { 'application/x-jsonl': TEXT }, response: 'One JSON object per line.' };
  const json = gives ?? ANY_OBJECT;
  if (streams !== true) return { gives: { 'application/json': json } };
  return {
    gives: { 'application/json': json, 'text/event-stream': TEXT },
    response: 'The object. `stream: true` returns server-sent events.',
  };
}

type Handler = (
  this: PassThroughController,
  ctx: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/** Each row of the table gets its own handler, so the router, the stages and the API description need no special case. */
@Controller()
export class PassThroughController {
  static {
    for (const family of PASS_THROUGH)
      for (const route of family.routes) declare(this.prototype, { route, family }, handlerOf(route));
  }

  constructor(
    protected readonly forwarder: ForwardService,
    protected readonly batchFiles: BatchFileCheck,
    protected readonly storedModels: StoredModelCheck,
  ) {}
}

function handlerOf(route: PassThroughRoute): Handler {
  const plan: ForwardPlan = {
    returnsFile: route.gives === 'file',
    ...(route.namesResults === true && { converter: OWN_RESULTS_URL }),
  };
  const { batchFileIn, runsModelsOf, defaultModelOf } = route;
  if (batchFileIn !== undefined)
    return async function (ctx, request, reply) {
      if (!reply.raw.destroyed)
        await this.batchFiles.check(ctx, ctx.body.json?.[batchFileIn], ctx.body.json?.['endpoint']);
      return this.forwarder.forward(ctx, request, reply, plan);
    };
  if (runsModelsOf !== undefined || defaultModelOf !== undefined)
    return async function (ctx, request, reply) {
      if (!reply.raw.destroyed) await this.storedModels.check(ctx, request.params as JsonObject, request.headers);
      return this.forwarder.forward(ctx, request, reply, plan);
    };
  if (isStreamed(route.body))
    return function (ctx, request, reply) {
      return this.forwarder.forward(ctx, request, reply, { ...plan, body: request.raw });
    };
  return function (ctx, request, reply) {
    return this.forwarder.forward(ctx, request, reply, plan);
  };
}

/** Adds a handler to the class and applies its decorators, as TypeScript does for a method. */
function declare(
  prototype: object,
  { route, family }: { route: PassThroughRoute; family: PassThroughFamily },
  handler: Handler,
): void {
  const { name, method, path } = route;
  const body = route.body ?? (method === 'POST' ? 'opaque' : 'none');
  const namesModel = body === 'json' || body === 'multipart' || body === 'either';
  Object.defineProperty(handler, 'name', { value: name });
  const descriptor = { value: handler, configurable: true, writable: true };
  Object.defineProperty(prototype, name, descriptor);
  const context = namesModel ? ValidRequest(ModelIfAny) : Context();
  for (const [at, parameter] of [context, Req(), Res()].entries()) parameter(prototype, name, at);
  Reflect.defineMetadata('design:paramtypes', [Object, Object, Object], prototype, name);
  for (const decorate of [
    RequestMapping({ method: RequestMethod[method], path: path.replace(/\{(\w+)\}/g, ':$1') }),
    GatewayRoute({ ...declaredBy(route, family), body, model: route.model ?? (namesModel ? 'gated' : 'none') }),
    PassThroughDoc(route, family),
  ]) {
    decorate(prototype, name, descriptor);
  }
}

function declaredBy(route: PassThroughRoute, { api, sharedPath, enabledBy }: PassThroughFamily) {
  const {
    path,
    bodyBytesMax,
    modelIn,
    requestsIn,
    runsModelsOf,
    defaultModelOf,
    judgedAs,
    usage,
    usageOfAll,
    laterUsage,
  } = route;
  const ofModels = { modelIn, requestsIn, runsModelsOf, defaultModelOf, judgedAs };
  const given = { ...ofModels, bodyBytesMax, usage, usageOfAll, laterUsage, api, sharedPath, enabledBy };
  // Undefined properties must not override the defaults of `@GatewayRoute`.
  return { endpoint: path, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
