import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';

/**
 * Who is calling: an API key under /v1, the admin key under /admin. Apart from `keys`, so that what a credential looks
 * like in a request is known in one place. Its guards refuse with 401, and with 503 where a key cannot be looked up;
 * the pipeline makes them, this module brings what they need.
 */
@Module({ imports: [KeysModule], exports: [KeysModule] })
export class AuthModule {}
