import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import type { RequestContext } from '../request-context/request-context.js';
import { responseHeaders } from './response-headers.js';

/** `responseHeaders` with what this process adds. */
@Injectable()
export class ResponseHead {
  private readonly worker: string | null;

  constructor(
    config: Config,
    private readonly lifecycle: Lifecycle,
  ) {
    this.worker = config.production ? config.version : null;
  }

  headers(ctx: RequestContext, status: number): string[] {
    ctx.headAtMs = performance.now();
    return responseHeaders(ctx, status, { worker: this.worker, draining: this.lifecycle.draining });
  }
}
