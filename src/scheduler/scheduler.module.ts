import { Module } from '@nestjs/common';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { ProbeSchedule } from './probe-schedule.js';
import { ProbeRunStore } from './stores/probe-run.store.js';

/**
 * What happens by the clock and not by a request, on one process of all. Apart, because what it does belongs to other
 * modules. It fails quietly: a run that cannot be done is logged, and the next one is due at its own time.
 */
@Module({ imports: [ModelPolicyModule], providers: [ProbeRunStore, ProbeSchedule] })
export class SchedulerModule {}
