import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Config } from '../../platform/config/config.js';
import {
  invalidType,
  invalidValue,
  missingRequiredParameter,
  requestTooLarge,
  upstreamError,
} from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { BatchLines, type BatchRequest } from '../../model-policy/batch/batch-lines.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { declaredRoutesOf } from '../../platform/routes/declared-routes.js';
import { PostRoutes } from './post-routes.js';
import { isPathId } from '../../platform/routes/path-id.rules.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { Router } from '../../upstream/routing/router.service.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { UpstreamExchange, UpstreamSink } from '../../upstream/send-contract.js';

const PARAM = 'input_file_id';
/** OpenAI accepts up to 200 MB. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const FILE_TIMEOUT_MS = 300_000;

/**
 * Checks the models in a batch file before the batch is created. It streams the file from the provider, with at most one line in
 * memory.
 */
@Injectable()
export class BatchFileCheck {
  private routes: PostRoutes | null = null;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly router: Router,
    private readonly gate: ModelGate,
    private readonly config: Config,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws GatewayError 400 for an invalid file ID or line, 413 above `FILE_BYTES_MAX`, 502 after `FILE_TIMEOUT_MS` */
  async check(ctx: RequestContext, fileId: unknown, endpoint: unknown): Promise<void> {
    if (fileId === undefined || fileId === null) throw missingRequiredParameter(PARAM);
    if (typeof fileId !== 'string') throw invalidType(PARAM, 'a string');
    if (!isPathId(fileId)) throw invalidValue(PARAM, 'the ID of a file');
    const upstreams = await this.router.upstreamsOfObject(fileId, 'openai');
    let failure: GatewayError | null = null;
    for (const upstream of upstreams) {
      const { status, error } = await this.read(ctx, upstream, `/files/${fileId}/content`, endpoint);
      if (ctx.response.cutByClient) return;
      if (status === 200) {
        // The batch must be created where the file was read.
        if (upstreams.length > 1) await this.router.rememberOwner(fileId, upstream, '/v1/files');
        if (error !== null) throw error;
        return;
      }
      // Another upstream might have the file. If none has it, this failure takes precedence over a 404.
      if (status !== 404) failure ??= error;
    }
    throw failure ?? missing();
  }

  private read(ctx: RequestContext, upstream: Upstream, path: string, endpoint: unknown): Promise<ReadResult> {
    const key = ctx.key!;
    const routes = (this.routes ??= new PostRoutes(declaredRoutesOf(this.modules)));
    // A provider could run a line on the batch's endpoint instead of the line's own.
    const ofBatch = typeof endpoint === 'string' ? routes.reachedBy(endpoint) : [];
    const judge = (line: BatchRequest) => this.gate.judgeBatch(line, key, [...routes.reachedBy(line.url), ...ofBatch]);
    const lines = new BatchLines(judge, this.config.isCurrentProfile ? 'everywhere' : 'known-fields');
    const request = {
      holder: key.id,
      method: 'GET',
      path,
      body: null,
      headers: this.upstream.requestHeaders({}, upstream, 'openai'),
    };
    return new Promise((resolve) => {
      const file = new FileRead(lines, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      const timer = setTimeout(
        () =>
          file.stop(
            upstreamError(
              'The gateway could not read the batch file within 5 minutes. Try again, or use smaller files.',
            ),
          ),
        FILE_TIMEOUT_MS,
      );
      ctx.onEnd(() => file.abandon(ctx));
      this.upstream.send(request, file, upstream);
    });
  }
}

interface ReadResult {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly error: GatewayError | null;
}

class FileRead implements UpstreamSink {
  private exchange: UpstreamExchange | null = null;
  private status: number | null = null;
  private bytes = 0;
  private ended = false;

  constructor(
    private readonly lines: BatchLines,
    private readonly settle: (result: ReadResult) => void,
  ) {}

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    if (status !== 200) this.stop(unreadable(status, headers));
  }

  onData(chunk: Buffer): void {
    this.bytes += chunk.length;
    const error = this.bytes > FILE_BYTES_MAX ? requestTooLarge(FILE_BYTES_MAX) : this.lines.push(chunk);
    if (error !== null) this.stop(error);
  }

  onEnd(): void {
    this.end(this.lines.end());
  }

  onError(error: GatewayError): void {
    this.end(error);
  }

  stop(error: GatewayError | null): void {
    this.exchange?.abort();
    this.end(error);
  }

  abandon({ response }: RequestContext): void {
    if (this.ended) return;
    response.cutByClient = true;
    this.stop(null);
  }

  private end(error: GatewayError | null): void {
    if (this.ended) return;
    this.ended = true;
    this.settle({ status: this.status, error });
  }
}

function unreadable(status: number, headers: IncomingHttpHeaders): GatewayError {
  if (status === 404) return missing();
  const retryAfter = headers['retry-after'];
  return upstreamError(
    `The gateway could not read the batch file: the provider returned status ${status}. Try again later.`,
    {
      headers: {
        'x-gw-upstream-status': String(status),
        ...(retryAfter !== undefined && /^\d+$/.test(retryAfter) && { 'retry-after': retryAfter }),
      },
    },
  );
}

const missing = (): GatewayError => invalidValue(PARAM, 'the ID of an existing file');
