import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceivedRequest } from '../../../../../sandbox/src/scripted/received-request.js';
import { sendReply, type Reply } from '../../../../../sandbox/src/scripted/reply.js';
import { ScriptedProvider, type Script } from '../../../../../sandbox/src/scripted/scripted-provider.js';
import { CertificateAuthority } from '../../../../support/certificates.js';
import { CHAT_USAGE, respondToChat } from '../../../../support/scripted-upstream-responses.js';
import { FAILURES, type ProviderFailure, type Transport } from './provider-failures.data.js';

const TRANSCRIPTION = { text: 'Hello', usage: { type: 'tokens', input_tokens: 9, output_tokens: 3, total_tokens: 12 } };
export const INPUT_TOKENS = CHAT_USAGE.prompt_tokens;

/** One provider for each failure. Their requests share a server, except for those that fail to connect. */
export class FailingProviders {
  /** How many requests or connections each provider still fails. */
  private readonly failing = new Map<ProviderFailure, number>();
  /** The failed requests of each provider. */
  readonly failed = new Map<ProviderFailure, number>();
  /** The markers of failed requests. */
  readonly failedMarkers = new Set<string>();
  /** How often providers might have charged for each request, by its marker. */
  readonly charges = new Map<string, number>();

  private constructor(
    readonly provider: ScriptedProvider,
    private readonly fronts: ReadonlyMap<ProviderFailure, Front>,
    private readonly folder: string,
    readonly authorityFile: string,
  ) {}

  static async start(): Promise<FailingProviders> {
    const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
    const authority = CertificateAuthority.create(folder, 'authority');
    const certificate = authority.issue('127.0.0.1');
    const fronts = new Map<ProviderFailure, Front>();
    const running: { providers: FailingProviders | null } = { providers: null };
    const script: Script = (request, response) => running.providers!.respond(request, response);
    const provider = await ScriptedProvider.start({ script, records: false });
    for (const failure of FAILURES) {
      if (failure.connect === undefined) continue;
      const fail = (socket: Socket) => running.providers!.failsToConnect(failure, socket);
      fronts.set(failure, await Front.start(certificate, script, fail));
    }
    return (running.providers = new FailingProviders(provider, fronts, folder, authority.certFile));
  }

  urlOf(failure: ProviderFailure): string {
    const front = this.fronts.get(failure);
    const path = `p${FAILURES.indexOf(failure)}/v1`;
    return front === undefined ? this.provider.url.replace('v1', path) : `https://127.0.0.1:${front.port}/${path}`;
  }

  /** @param count Infinity for providers that fail permanently, and 0 for providers that work */
  failNext(count: number): void {
    for (const failure of FAILURES) this.failing.set(failure, count);
  }

  /** The next requests must open new connections to the providers that fail to connect. */
  reset(): void {
    this.failed.clear();
    this.failedMarkers.clear();
    this.charges.clear();
    for (const front of this.fronts.values()) front.closeConnections();
  }

  async stop(): Promise<void> {
    await Promise.all([this.provider.stop(), ...[...this.fronts.values()].map((front) => front.stop())]);
    rmSync(this.folder, { recursive: true });
  }

  private failsToConnect(failure: ProviderFailure, socket: Socket): boolean {
    if (!this.takeFailure(failure)) return false;
    failure.connect!(socket);
    return true;
  }

  private respond(request: ReceivedRequest, response: ServerResponse): ReturnType<Script> {
    const failure = FAILURES[Number(/^\/p(\d+)\//.exec(request.path)?.[1])];
    const marker = /marker-\d+-/.exec(request.body.toString('latin1'))![0];
    const respond = failure?.respond;
    if (failure === undefined || respond === undefined || !this.takeFailure(failure)) {
      this.charge(marker);
      return served(request, response);
    }
    this.failed.set(failure, (this.failed.get(failure) ?? 0) + 1);
    this.failedMarkers.add(marker);
    if (failure.isBilled) this.charge(marker);
    return respond(response, transportOf(request));
  }

  private takeFailure(failure: ProviderFailure): boolean {
    const left = this.failing.get(failure) ?? 0;
    this.failing.set(failure, Math.max(0, left - 1));
    return left > 0;
  }

  private charge(marker: string): void {
    this.charges.set(marker, (this.charges.get(marker) ?? 0) + 1);
  }
}

const UPLOADED: ReadonlyMap<string, object> = new Map<string, object>([
  ['transcriptions', TRANSCRIPTION],
  ['files', { id: 'file-1', object: 'file' }],
]);
const uploadedTo = ({ path }: ReceivedRequest): object | undefined => UPLOADED.get(path.split('/').at(-1)!);

function served(request: ReceivedRequest, response: ServerResponse): ReturnType<Script> {
  const body = uploadedTo(request);
  return body === undefined ? respondToChat(request, response) : { body };
}

function transportOf(request: ReceivedRequest): Transport {
  if (uploadedTo(request) !== undefined) return 'upload';
  return request.json()['stream'] === true ? 'stream' : 'buffered';
}

/** A TCP server that fails a connection, or passes it to an HTTPS server. */
class Front {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly https: TlsServer,
  ) {}

  static async start(
    { cert, key }: { readonly cert: string; readonly key: string },
    script: Script,
    fail: (socket: Socket) => boolean,
  ): Promise<Front> {
    const https = createTlsServer({ cert, key, keepAliveTimeout: 60_000 }, (incoming, response) => {
      const request = new ReceivedRequest(incoming, response);
      void request.read().then(async () => {
        const reply: Reply | void = await script(request, response);
        if (reply !== undefined) await sendReply(response, reply);
      });
    });
    https.on('tlsClientError', () => undefined);
    const server = createServer((socket) => {
      front.sockets.add(socket.on('close', () => front.sockets.delete(socket)).on('error', () => socket.destroy()));
      if (!fail(socket)) https.emit('connection', socket);
    });
    const front = new Front(server, https);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  closeConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.closeConnections();
    this.https.close();
    await closed;
  }
}
