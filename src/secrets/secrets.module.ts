import { Module } from '@nestjs/common';
import { Secrets } from './secrets.js';

/**
 * What is done with GW_SECRET_KEY: encryption of what must be read back, signatures of tokens. Apart, so that the key is
 * in one place and no two uses share one. It asks nobody; what no key of the setting opens is an error of the caller's.
 */
@Module({ providers: [Secrets], exports: [Secrets] })
export class SecretsModule {}
