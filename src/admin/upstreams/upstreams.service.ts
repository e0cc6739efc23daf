import { Injectable } from '@nestjs/common';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { UpstreamDrains } from '../../upstream/routing/upstream-drains.service.js';
import { UpstreamStates, type UpstreamState } from '../../upstream/routing/upstream-states.service.js';

/** Changes to upstreams by operators. @throws GatewayError `not_found` for a name that is not in the file */
@Injectable()
export class AdminUpstreams {
  constructor(
    private readonly states: UpstreamStates,
    private readonly drains: UpstreamDrains,
  ) {}

  get(name: string): UpstreamState {
    return this.states.stateOf(this.states.find(name));
  }

  async drain(name: string, actor: AdminActor): Promise<UpstreamState> {
    await this.drains.drain(this.states.find(name).spec.name, actor);
    return this.get(name);
  }

  async resume(name: string, actor: AdminActor): Promise<UpstreamState> {
    await this.drains.resume(this.states.find(name).spec.name, actor);
    return this.get(name);
  }
}
