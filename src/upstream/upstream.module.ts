import { Module } from '@nestjs/common';
import { UpstreamClient } from './upstream-client.js';

/**
 * The only HTTP client towards the provider: connections, header and query allowlists, time limits, retries, circuit
 * breaker. Apart, so that nothing else knows of them and no other way leads to the account's credential.
 * Fails with a GatewayError handed to the receiver: 502 `upstream_error`, or 503 where no connection comes free.
 */
@Module({ providers: [UpstreamClient], exports: [UpstreamClient] })
export class UpstreamModule {}
