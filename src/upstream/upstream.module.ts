import { Module } from '@nestjs/common';
import { UpstreamClient } from './upstream-client.js';

/**
 * The only HTTP client for the provider. It is a separate module, so that no other code can use the account's credential. It
 * reports a failure as a GatewayError to the sink: 502 `upstream_error`, or 503 if no connection becomes free.
 */
@Module({ providers: [UpstreamClient], exports: [UpstreamClient] })
export class UpstreamModule {}
