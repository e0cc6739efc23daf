import { createServer, type ServerResponse } from 'node:http';
import { Listener } from './listener.js';
import { ReceivedRequest } from './received-request.js';
import { type Reply, sendReply } from './reply.js';

/** Answers one request: returns a reply, or writes to `response` itself. A response that it leaves open stays open. */
export type Script = (request: ReceivedRequest, response: ServerResponse) => Reply | void | Promise<Reply | void>;

interface Options {
  /** A free one by default. */
  readonly port?: number;
  /** By `METHOD path`, without the query. */
  readonly routes?: ReadonlyMap<string, Script>;
  /** For requests outside `routes`; a 404 by default. */
  readonly script?: Script;
  /** Whether scripts are called when the whole body was read (the default), or before its first byte is read. */
  readonly at?: 'body' | 'head';
  /** How long unused connections stay open, ms. */
  readonly keepAliveMs?: number;
  /** False: `requests` stays empty. */
  readonly records?: boolean;
}

/**
 * An HTTP server in the place of an AI provider, which answers as its scripts say. It serves the sandbox, the tests and the
 * benchmarks. `RawProvider` is for responses that no HTTP server would send.
 */
export class ScriptedProvider {
  /** Everything received since the start or the last `reset()`. */
  requests: ReceivedRequest[] = [];
  private routes: Map<string, Script>;
  private readonly waiting = new Set<() => void>();
  private readonly listener: Listener;

  private constructor(private readonly options: Options) {
    this.routes = new Map(options.routes);
    const limits = { keepAliveTimeout: options.keepAliveMs ?? 60_000, headersTimeout: 0, requestTimeout: 0 };
    const server = createServer(limits, (incoming, response) => {
      void this.receive(new ReceivedRequest(incoming, response), response);
    });
    this.listener = new Listener(server, options.port ?? 0);
  }

  static async start(options: Options = {}): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider(options);
    await provider.listener.start();
    return provider;
  }

  /** Base URL with `/v1` at its end, as `GW_UPSTREAM_BASE_URL` expects it. */
  get url(): string {
    return this.listener.url;
  }

  /** Open connections, including unused ones. */
  get connections(): number {
    return this.listener.connections.size;
  }

  /**
   * The request number `index`, which is 0 for the first since the start or `reset()`, as soon as it is in `requests`.
   * @param route counts the requests of this route only: `POST /v1/files`
   */
  received(index: number, route?: string): Promise<ReceivedRequest> {
    return new Promise((resolve) => {
      const look = (): void => {
        const counted = route === undefined ? this.requests : this.requests.filter((one) => one.route === route);
        const request = counted[index];
        if (request === undefined) return;
        this.waiting.delete(look);
        resolve(request);
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Replaces the script of a route; `path` with `/v1` and without query. */
  on(method: string, path: string, script: Script): void {
    this.routes.set(`${method} ${path}`, script);
  }

  /** Forgets the requests and restores the scripts of the start. */
  reset(): void {
    this.requests = [];
    this.routes = new Map(this.options.routes);
  }

  /** Destroys every connection and frees the port. */
  stop(): Promise<void> {
    return this.listener.stop();
  }

  private async receive(request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const { at = 'body', script = unknownRoute, records = true } = this.options;
    if (at === 'body') await request.read();
    if (records) this.requests.push(request);
    for (const look of [...this.waiting]) look();
    const reply = await (this.routes.get(request.route) ?? script)(request, response);
    if (reply !== undefined) await sendReply(response, reply);
  }
}

const unknownRoute: Script = ({ method, path }) => ({
  status: 404,
  body: { error: { message: `Unknown request URL: ${method} ${path}` } },
});
