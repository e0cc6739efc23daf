import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { replyOf, requestOf } from '../request-context/context.decorator.js';
import { ReadTurns } from './read-turns.js';

/** The caller that is no operator; all admin keys are one. */
const ADMIN_KEY = 'admin_key';

/**
 * Operators who read have a part of the general pool, never all of it: while a dashboard loads figures keys and policies are
 * read, usage is written and keys are changed as ever (D3, D14). 503 `service_unavailable` after 2 s in line,
 * which is served by turns of the operators: who reads most waits longest.
 */
@Injectable()
export class ReadTurnsGuard implements CanActivate {
  constructor(private readonly turns: ReadTurns) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    const { method, actor } = requestOf(host).ctx;
    if (method !== 'GET') return true;
    const res = replyOf(host).raw;
    const turn = this.turns.enter(actor?.id ?? ADMIN_KEY);
    if (turn !== undefined) return turn.then(() => this.leaveWith(res));
    return this.leaveWith(res);
  }

  private leaveWith(res: ServerResponse): true {
    let left = false;
    const leave = () => {
      if (!left) this.turns.leave();
      left = true;
    };
    // The client may have gone away while it stood in line.
    if (res.closed) leave();
    // The answer is there, however slowly it is taken; or nobody waits for it any more.
    else res.once('prefinish', leave).once('close', leave);
    return true;
  }
}
