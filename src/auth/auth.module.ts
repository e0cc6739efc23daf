import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { KeysModule } from '../keys/keys.module.js';
import { OperatorsModule } from '../operators/operators.module.js';
import { UntrustedProxyWarning } from './client-address.js';
import { AddressLimits, floodLimits } from './flood.guard.js';
import { SessionCallers } from './session-callers.service.js';

/**
 * Who is calling: an API key under /v1, the admin key or a session under /admin, a session under /dashboard; and how
 * often from one address. Apart from `keys` and `operators`, so that what a credential looks like in a request is known
 * in one place. Its guards refuse with 401, 403 and 429, and with 503 where a key or session cannot be looked up; the
 * pipeline makes them, this module brings what they need.
 */
@Module({
  imports: [KeysModule, OperatorsModule, ThrottlerModule.forRootAsync({ useFactory: floodLimits })],
  providers: [SessionCallers, AddressLimits, UntrustedProxyWarning],
  exports: [KeysModule, SessionCallers, AddressLimits, UntrustedProxyWarning],
})
export class AuthModule {}
