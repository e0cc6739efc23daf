import { createParamDecorator } from '@nestjs/common';
import { contextOf } from '../request-context/context.decorator.js';

/** Hands a handler the session that the call came with; null where it came with the admin key. */
export const Caller = createParamDecorator((_data: unknown, host) => contextOf(host).session);
