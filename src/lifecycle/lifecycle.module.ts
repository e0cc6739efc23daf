import { Global, Module } from '@nestjs/common';
import { Lifecycle } from './lifecycle.js';

/** One flag that main sets and answers read. A leaf, so that neither health nor the pipeline has to know main. */
@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
