import type { IncomingMessage } from 'node:http';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';
import type { Candidate } from '../model-policy/upstream-candidates.service.js';
import { badRequest } from '../platform/errors/error-factories.js';
import { replaceFormModel, replaceModel } from '../platform/json/replace-model.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { stripCredentialParameters } from '../upstream/query-string.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { UpstreamRequest } from '../upstream/send-contract.js';
import type { ForwardPlan } from './forward-plan.js';
import type { UploadStream } from './upload-stream.js';

/** `RouteGuard` checks the prefix. */
const PREFIX_LENGTH = '/v1'.length;

interface Parts {
  readonly ctx: RequestContext;
  readonly incoming: IncomingMessage;
  readonly plan: ForwardPlan;
  readonly api: Api;
  readonly body: Buffer | null;
  readonly upload: UploadStream | null;
}

/** A client's request in the form that is sent upstream. Attempts at several upstreams share it. */
export class ForwardedRequest {
  constructor(
    private readonly parts: Parts,
    private readonly client: UpstreamClient,
  ) {}

  get upload(): UploadStream | null {
    return this.parts.upload;
  }

  /** False once a byte of a streamed body has been read. */
  get canRepeat(): boolean {
    return this.parts.upload === null || !this.parts.upload.begun;
  }

  /** The plan for an attempt at this candidate. */
  planFor(candidate: Candidate): ForwardPlan {
    const { plan, body } = this.parts;
    return plan.perUpstream === undefined || body === null ? plan : plan.perUpstream.planOf(candidate, body);
  }

  /**
   * Builds the request for one attempt, and begins its span.
   * @param candidate its model replaces the client's
   * @param connectMsMax see `UpstreamRequest`
   * @throws GatewayError 400 if the model cannot be replaced
   */
  to({ upstream, model }: Candidate, plan: ForwardPlan, connectMsMax?: number): UpstreamRequest {
    const { ctx, incoming, api, upload } = this.parts;
    const path = plan.path ?? incoming.url!.slice(PREFIX_LENGTH);
    const { name, baseUrl } = upstream;
    const traceparent = ctx.trace?.beginUpstream(ctx, { name, baseUrl, api }, path);
    const routeHeaders = traceparent === undefined ? plan.headers : { ...plan.headers, traceparent };
    const headers = this.client.requestHeaders(incoming.headers, upstream, api, routeHeaders);
    const length = incoming.headers['content-length'];
    if (upload !== null && length !== undefined) headers.push('content-length', length);
    // The body of the request's own plan is in `parts`, and asks for the usage report.
    const isOwnPlan = plan === this.parts.plan;
    const body = !isOwnPlan && Buffer.isBuffer(plan.body) ? plan.body : this.parts.body;
    const isClientsModel = model === '' || model === ctx.model;
    return {
      holder: ctx.key!.id,
      method: ctx.method,
      path: stripCredentialParameters(path),
      headers,
      body: upload ?? (isClientsModel || body === null ? body : this.withModel(body, model)),
      connectMsMax,
    };
  }

  /** Replaces an alias with the model that it stands for at this upstream. */
  private withModel(body: Buffer, model: string): Buffer {
    const { ctx, incoming } = this.parts;
    const contentType = incoming.headers['content-type'] ?? '';
    if (!/^\s*multipart\//i.test(contentType)) return replaceModel(body, model);
    const replaced = replaceFormModel(body, contentType, ctx.model!, model);
    if (replaced === null) throw badRequest("The gateway cannot replace the form's model. Send the model's own ID.");
    return replaced;
  }
}
