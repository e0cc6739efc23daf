import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Global, Injectable, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Turnstile } from '../operators/turnstile.js';
import { replyOf, requestOf } from '../request-context/context.decorator.js';

/** Connections of the general pool that reads of operators leave to everything else. */
const LEFT_TO_OTHERS = 4;
const LINE = { waiting: 200, waitMs: 2000 } as const;

/** One line for all controllers. */
@Injectable()
export class ReadTurns extends Turnstile {
  constructor({ databasePool }: Config) {
    super({ atOnce: Math.max(1, databasePool - LEFT_TO_OTHERS), ...LINE });
  }
}

@Global()
@Module({ providers: [ReadTurns], exports: [ReadTurns] })
export class ReadTurnsModule {}

/**
 * Operators who read have a part of the general pool, never all of it: while a dashboard loads figures keys and policies are
 * read, usage is written and keys are changed as ever (D3, D14). 503 `service_unavailable` after 2 s in line.
 */
@Injectable()
export class ReadTurnsGuard implements CanActivate {
  constructor(private readonly turns: ReadTurns) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    if (requestOf(host).ctx.method !== 'GET') return true;
    const res = replyOf(host).raw;
    const turn = this.turns.enter();
    if (turn !== undefined) return turn.then(() => this.leaveWith(res));
    return this.leaveWith(res);
  }

  private leaveWith(res: ServerResponse): true {
    const leave = () => this.turns.leave();
    // The client may have gone away while it stood in line.
    if (res.closed) leave();
    else res.once('close', leave);
    return true;
  }
}
