import { createServer, type ServerResponse } from 'node:http';
import { Listener } from './listener.js';
import { ReceivedRequest } from './received-request.js';
import { type Reply, sendReply } from './reply.js';

/** Answers one request: returns a reply, or writes to `response`. It can leave the response open. */
export type Script = (request: ReceivedRequest, response: ServerResponse) => Reply | void | Promise<Reply | void>;

interface Options {
  readonly port?: number;
  /** Scripts by `METHOD path`, without the query. */
  readonly routes?: ReadonlyMap<string, Script>;
  /** Answers requests outside `routes`. The default is a 404. */
  readonly script?: Script;
  /** A script runs after the whole body was read (the default) or before any of it is read. */
  readonly at?: 'body' | 'head';
  readonly keepAliveMs?: number;
  /** If false, `requests` stays empty. */
  readonly records?: boolean;
}

/**
 * An HTTP server that replaces an AI provider and returns scripted responses. The sandbox, tests and benchmarks use it.
 * `RawProvider` sends responses that an HTTP server cannot send.
 */
export class ScriptedProvider {
  /** All requests since startup or the last `reset()`. */
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

  /** The URL ends in `/v1`, as `GW_UPSTREAM_BASE_URL` expects. */
  get url(): string {
    return this.listener.url;
  }

  /** Includes idle connections. */
  get connections(): number {
    return this.listener.connections.size;
  }

  /**
   * Waits until the request with this index is in `requests`, and returns it. The first since startup or `reset()` has index 0.
   * @param route counts only the requests of this route, for example `POST /v1/files`
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

  /** Replaces the script of a route. `path` includes `/v1` and has no query. */
  on(method: string, path: string, script: Script): void {
    this.routes.set(`${method} ${path}`, script);
  }

  reset(): void {
    this.requests = [];
    this.routes = new Map(this.options.routes);
  }

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
