import { Get, Post } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { CostRecorder } from '../../stats/cost-recorder.service.js';
import { UpstreamStates } from '../../upstream/routing/upstream-states.service.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { PathParam } from '../id.pipes.js';
import { PageRequest } from '../page.dto.js';
import { TestedUpstreamResponse, UpstreamListResponse, UpstreamResponse } from './upstream.dto.js';
import { AdminUpstreams } from './upstreams.service.js';
import { NAME_PATTERN } from '../../platform/config/upstreams/upstreams-schema.data.js';

/** The name of an upstream in a path. A name that does not match the pattern returns 404, like an unknown one. */
const UpstreamName = () => PathParam('name', { type: 'string', pattern: NAME_PATTERN });

const UNKNOWN = 'no upstream of `GW_UPSTREAMS` has this name.';

@AdminController('upstreams')
export class UpstreamsController {
  constructor(
    private readonly upstreams: AdminUpstreams,
    private readonly states: UpstreamStates,
    private readonly config: Config,
    private readonly costs: CostRecorder,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List upstreams', type: UpstreamListResponse })
  list(@ValidQuery(PageRequest) query: PageRequest) {
    return UpstreamListResponse.of(
      this.states.all(),
      (name) => this.costs.cacheUseOf(name),
      this.config.upstreams?.reloads ?? null,
      query,
    );
  }

  @Get(':name')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get an upstream', type: UpstreamResponse, notFound: UNKNOWN })
  get(@UpstreamName() name: string) {
    return UpstreamResponse.of(this.upstreams.get(name), this.costs.cacheUseOf(name));
  }

  @Post(':name/test')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Read the model list of an upstream', type: TestedUpstreamResponse, notFound: UNKNOWN })
  async test(@UpstreamName() name: string) {
    return TestedUpstreamResponse.of(await this.states.test(name));
  }

  @Post(':name/drain')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Send new requests to other upstreams', type: UpstreamResponse, notFound: UNKNOWN })
  async drain(@UpstreamName() name: string, @Actor() actor: AdminActor) {
    return UpstreamResponse.of(await this.upstreams.drain(name, actor), this.costs.cacheUseOf(name));
  }

  @Post(':name/resume')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'End the drain of an upstream', type: UpstreamResponse, notFound: UNKNOWN })
  async resume(@UpstreamName() name: string, @Actor() actor: AdminActor) {
    return UpstreamResponse.of(await this.upstreams.resume(name, actor), this.costs.cacheUseOf(name));
  }
}
