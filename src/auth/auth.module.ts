import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { KeysModule } from '../keys/keys.module.js';
import { OperatorsModule } from './operators/operators.module.js';
import { UntrustedProxyWarning } from './client-address.js';
import { AddressLimits, floodLimits } from './flood.guard.js';
import { SessionAuthentication } from './session-authentication.service.js';

/**
 * Authenticates requests and limits them per client address. The module is separate from `keys` and `operators`, which do not
 * read requests.
 *
 * The guards reject requests with 401, 403 or 429, and with 503 if a key or session cannot be looked up. The pipeline creates
 * them.
 */
@Module({
  imports: [KeysModule, OperatorsModule, ThrottlerModule.forRootAsync({ useFactory: floodLimits })],
  providers: [SessionAuthentication, AddressLimits, UntrustedProxyWarning],
  exports: [KeysModule, SessionAuthentication, AddressLimits, UntrustedProxyWarning],
})
export class AuthModule {}
