import { Module } from '@nestjs/common';
import { Lifecycle } from './lifecycle.js';

/**
 * One flag, that a stop has begun: `stopListening` sets it, health and the heads of answers read it. A leaf, so that neither
 * of them has to know the start. It cannot fail; a stop that it tells of ends whatever still runs when the grace is over.
 */
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
