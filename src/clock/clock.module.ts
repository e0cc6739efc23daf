import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** The time, for everybody. Apart, so that a test replaces it in one place. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
