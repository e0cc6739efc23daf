import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { replyOf, requestOf } from '../platform/request-context/context.decorator.js';
import { ConcurrencyLimit } from '../platform/fairness/concurrency-limit.js';

const RESERVED_CONNECTIONS = 4;
const QUEUE = { waiting: 200, waitMs: 2000 } as const;
const ADMIN_KEY = 'admin_key';

@Injectable()
export class OperatorReadLimit extends ConcurrencyLimit {
  constructor({ databasePool }: Config) {
    super({ atOnce: Math.max(1, databasePool - RESERVED_CONNECTIONS), ...QUEUE });
  }
}

/** Keeps operators' reads from using the whole general pool (D3, D14). Excess reads wait up to 2 s, and then get 503. */
@Injectable()
export class OperatorReadLimitGuard implements CanActivate {
  constructor(private readonly limit: OperatorReadLimit) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    const { method, actor } = requestOf(host).ctx;
    if (method !== 'GET') return true;
    const res = replyOf(host).raw;
    const wait = this.limit.enter(actor?.id ?? ADMIN_KEY);
    return wait === undefined ? this.leaveWith(res) : wait.then(() => this.leaveWith(res));
  }

  private leaveWith(res: ServerResponse): true {
    let left = false;
    const leave = () => {
      if (!left) this.limit.leave();
      left = true;
    };
    // The client disconnected while it waited.
    if (res.closed) leave();
    // `prefinish` instead of `finish`, so that a client that reads slowly does not keep its slot.
    else res.once('prefinish', leave).once('close', leave);
    return true;
  }
}
