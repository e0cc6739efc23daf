import { Global, Module } from '@nestjs/common';

/** The wall clock, injected so that tests can change the time. Quotas use the database's clock instead. */
export class Clock {
  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
