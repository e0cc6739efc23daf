import { createParamDecorator } from '@nestjs/common';
import { contextOf } from '../request-context/context.decorator.js';

/** Hands a handler who makes the call, for the audit row. Behind the admin guard there is always one. */
export const Actor = createParamDecorator((_data: unknown, host) => contextOf(host).actor);
