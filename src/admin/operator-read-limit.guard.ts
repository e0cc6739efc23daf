import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { replyOf, requestOf } from '../platform/request-context/context.decorator.js';
import { OperatorReadLimit } from './operator-read-limit.js';

const ADMIN_KEY = 'admin_key';

/** Keeps operators' reads from using the whole general pool (D3, D14). Excess reads wait up to 2 s, and are then rejected with 503. */
@Injectable()
export class OperatorReadLimitGuard implements CanActivate {
  constructor(private readonly limit: OperatorReadLimit) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    const { method, actor } = requestOf(host).ctx;
    if (method !== 'GET') return true;
    const res = replyOf(host).raw;
    const wait = this.limit.enter(actor?.id ?? ADMIN_KEY);
    return wait === undefined ? this.leaveAfter(res) : wait.then(() => this.leaveAfter(res));
  }

  private leaveAfter(res: ServerResponse): true {
    let left = false;
    const leave = () => {
      if (!left) this.limit.leave();
      left = true;
    };
    const isDisconnected = res.closed;
    if (isDisconnected) leave();
    // `finish` would let a client that reads slowly keep its slot.
    else res.once('prefinish', leave).once('close', leave);
    return true;
  }
}
