import { Global, Module } from '@nestjs/common';

/** The wall clock, milliseconds since 1970. Tests change it. Quotas use the database's clock instead. */
export class Clock {
  now(): number {
    return Date.now();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
