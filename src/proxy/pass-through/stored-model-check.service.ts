import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { invalidValue, upstreamError } from '../../platform/errors/error-factories.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { isPathId } from '../../platform/routes/path-id.rules.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import { Router } from '../../upstream/routing/router.service.js';
import type { BufferedResponse } from '../../upstream/buffered-response.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { Upstream } from '../../upstream/upstream.js';
import { jsonIn } from '../../platform/json/parse-json.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

const OBJECT_BYTES_MAX = 1024 * 1024;
const OBJECT_TIMEOUT_MS = 30_000;
const PREFIX_LENGTH = '/v1'.length;

/** The ID of an object that a request runs, and the path of the object at the provider. */
interface StoredObject {
  readonly id: string;
  readonly path: string;
  /** The route that created the object. */
  readonly createdBy: string;
}

/**
 * Checks models that a request does not name, because the provider takes them from a stored object: a run, an eval, an assistant. It
 * reads the object from the provider before the request is forwarded. Only keys with allowed models, and model policies that block a
 * model, need this check.
 */
@Injectable()
export class StoredModelCheck {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly router: Router,
    private readonly gate: ModelGate,
  ) {}

  /**
   * @param params the path parameters of the request
   * @throws GatewayError 403 for a model that is not allowed, 400 for an unknown object in the body, 502 if it cannot be read
   */
  async check(ctx: RequestContext, params: JsonObject, headers: IncomingHttpHeaders): Promise<void> {
    const route = ctx.route as GatewayRouteSpec;
    const key = ctx.key!;
    if (!this.gate.gates(key)) return;
    const stored = storedObject(route, ctx, params);
    if (stored === null) return;
    // An eval has no model of its own. Its graders can.
    const hasOwnModel = route.model !== 'defaulted' || route.defaultModelOf !== undefined;
    const rejection = this.gate.judgeStored(await this.read(stored, headers), key, hasOwnModel);
    if (rejection !== null) throw rejection;
  }

  private async read(stored: StoredObject, { 'openai-beta': beta }: IncomingHttpHeaders): Promise<JsonObject> {
    const { id, path, createdBy } = stored;
    const upstreams = await this.router.upstreamsOfObject(id, 'openai');
    let last: BufferedResponse | null = null;
    for (const upstream of upstreams) {
      const response = await this.fetch(path, upstream, typeof beta === 'string' ? beta : undefined);
      last = response;
      // Another upstream might have the object.
      if (response.status === 404) continue;
      // The request must go to the upstream whose object was read.
      if (upstreams.length > 1) await this.router.rememberOwner(id, upstream, createdBy);
      break;
    }
    return objectIn(last);
  }

  private fetch(path: string, upstream: Upstream, beta: string | undefined): Promise<BufferedResponse> {
    return this.upstream.fetchSmall({
      method: 'GET',
      path,
      headers: beta === undefined ? [] : ['openai-beta', beta],
      bytesMax: OBJECT_BYTES_MAX,
      timeoutMs: OBJECT_TIMEOUT_MS,
      upstream,
      api: 'openai',
    });
  }
}

/** Null if the request runs only models that it names. @throws GatewayError 400 if the body does not name the object */
function storedObject(
  route: GatewayRouteSpec,
  { model, body }: RequestContext,
  params: JsonObject,
): StoredObject | null {
  const { runsModelsOf, defaultModelOf } = route;
  if (runsModelsOf !== undefined) return storedAt(runsModelsOf, params);
  return defaultModelOf === undefined || model !== null ? null : storedAt(defaultModelOf, body.json ?? {});
}

function storedAt(template: string, ids: JsonObject): StoredObject {
  let first: string | null = null;
  const path = template.slice(PREFIX_LENGTH).replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (typeof id !== 'string' || !isPathId(id)) throw invalidValue(name, 'the ID of an object');
    first ??= id;
    return id;
  });
  return { id: first!, path, createdBy: template.slice(0, template.indexOf('/{')) };
}

function objectIn(response: BufferedResponse | null): JsonObject {
  if (response?.status !== 200) throw unreadable(response);
  const json = jsonIn(response.body.toString());
  if (isObject(json)) return json;
  throw unreadable(response);
}

const unreadable = (response: BufferedResponse | null) =>
  upstreamError(
    `The gateway could not read the stored object whose model the request runs${response === null ? '' : `: the provider returned status ${response.status}`}. ` +
      'Check its ID, or try again later.',
    response === null ? {} : { headers: { 'x-gw-upstream-status': String(response.status) } },
  );
