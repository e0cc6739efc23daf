import { ScriptedProvider } from '../../../sandbox/src/scripted/scripted-provider.js';
import type { ReceivedRequest } from '../../../sandbox/src/scripted/received-request.js';
import type { Reply } from '../../../sandbox/src/scripted/reply.js';
import type { Api } from '../../../src/platform/config/upstreams/upstreams-file.js';
import { RESPONSE, STREAM } from '../../support/message-responses.js';
import { chatCompletion, chatStream } from '../../support/scripted-upstream-responses.js';

/** The observable behavior of a provider's HTTP API. */
export interface Vendor {
  /** The path of its base URL. */
  readonly prefix: string;
  readonly apis: readonly Api[];
  /** Returns the credential from where the provider reads it. It is null if the provider checks none. */
  readonly credentialIn: ((request: ReceivedRequest, api: Api) => string | undefined) | null;
  /** The models that it can run. Others get `unknownModel`. */
  readonly runs: readonly string[];
  /** Returns the response to `GET /models`. It is null if the provider has no list. */
  readonly list: ((query: URLSearchParams) => object) | null;
  readonly listIsPublic?: true;
  readonly wrongCredential: Reply;
  readonly unknownModel: (model: string) => Reply;
  readonly unknownPath: Reply;
  /** Returns the response to a query that the provider rejects. */
  readonly checkQuery?: (query: URLSearchParams) => Reply | null;
  /** Lines before the first event of a stream. */
  readonly streamStart?: string;
}

/** Response headers that describe the account. Clients must not receive them. */
export const ACCOUNT_HEADERS = ['openai-organization', 'anthropic-organization-id', 'set-cookie', 'server'];
/** Clients can receive this header, but not with a credential. */
const ECHO_HEADER = 'openai-version';

/** A server that behaves like a provider, for a single account. */
export class VendorProvider {
  /** Every request gets this response while it is set. */
  override: Reply | null = null;
  /** Requests for a model wait for this before they get a response. */
  hold: Promise<void> = Promise.resolve();

  private constructor(
    private readonly vendor: Vendor,
    /** The credential that is accepted. */
    public secret: string | null,
    readonly server: ScriptedProvider,
  ) {}

  static async start(vendor: Vendor, secret: string | null): Promise<VendorProvider> {
    const server = await ScriptedProvider.start({ script: (request) => provider.replyTo(request) });
    const provider = new VendorProvider(vendor, secret, server);
    return provider;
  }

  get origin(): string {
    return new URL(this.server.url).origin;
  }

  /** Requests for models that run, in the order of their arrival. */
  get calls(): readonly ReceivedRequest[] {
    return this.server.requests.filter(({ method }) => method === 'POST');
  }

  private async replyTo(request: ReceivedRequest): Promise<Reply> {
    if (request.method === 'POST') await this.hold;
    const { headers, ...reply } = this.override ?? this.usualReply(request);
    const account = Object.fromEntries(ACCOUNT_HEADERS.map((name) => [name, `${name}-of-the-account`]));
    return { ...reply, headers: { ...account, [ECHO_HEADER]: String(this.secret), ...headers } };
  }

  private usualReply(request: ReceivedRequest): Reply {
    const { vendor } = this;
    const { pathname, searchParams } = new URL(request.path, this.origin);
    if (!pathname.startsWith(`${vendor.prefix}/`)) return vendor.unknownPath;
    const rejection = vendor.checkQuery?.(searchParams) ?? null;
    if (rejection !== null) return rejection;
    switch (`${request.method} ${pathname.slice(vendor.prefix.length)}`) {
      case 'GET /models':
        return this.listReply(request, searchParams);
      case 'POST /chat/completions':
        return this.run(request, 'openai');
      case 'POST /messages':
        return this.run(request, 'anthropic');
      default:
        return vendor.unknownPath;
    }
  }

  private listReply(request: ReceivedRequest, query: URLSearchParams): Reply {
    const { apis, list, listIsPublic, unknownPath, wrongCredential } = this.vendor;
    if (list === null) return unknownPath;
    if (listIsPublic !== true && !this.accepts(request, apis[0]!)) return wrongCredential;
    return { body: list(query) };
  }

  private run(request: ReceivedRequest, api: Api): Reply {
    const { apis, runs, unknownModel, unknownPath, wrongCredential, streamStart = '' } = this.vendor;
    if (!apis.includes(api)) return unknownPath;
    if (!this.accepts(request, api)) return wrongCredential;
    const { model: asked, stream } = request.json();
    const model = String(asked);
    if (!runs.includes(model)) return unknownModel(model);
    if (api === 'anthropic' && request.header('anthropic-version') === undefined)
      return { status: 400, body: anthropicError('invalid_request_error', 'anthropic-version: header is required') };
    const headers = { 'content-type': 'text/event-stream' };
    if (api === 'openai')
      return stream === true
        ? { headers, chunks: [streamStart, ...chatStream(model, true)].filter((chunk) => chunk !== '') }
        : { body: chatCompletion(model) };
    return stream === true
      ? { headers, body: STREAM.replaceAll(RESPONSE.model, model) }
      : { body: { ...RESPONSE, model } };
  }

  private accepts(request: ReceivedRequest, api: Api): boolean {
    const { credentialIn } = this.vendor;
    return credentialIn === null || credentialIn(request, api) === this.secret;
  }
}

export const anthropicError = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_scripted1',
});
