import { Delete, Get, Param, Patch, Post } from '@nestjs/common';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { TeamsService } from '../../keys/teams/teams.service.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { UuidPipe } from '../id.pipes.js';
import {
  CreateTeamRequest,
  ListTeamsRequest,
  teamListQueryOf,
  UpdateTeamRequest,
  TeamListResponse,
  TeamResponse,
} from './team.dto.js';
import { DeletedResourceResponse } from '../deleted.dto.js';

const TeamId = () => Param('id', new UuidPipe('Team not found'));
const UNKNOWN = 'no team has this ID.';

@AdminController('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Create a team', type: TeamResponse })
  async create(@ValidBody(CreateTeamRequest) { name, tags = [] }: CreateTeamRequest, @Actor() actor: AdminActor) {
    return TeamResponse.of(await this.teams.create({ name, tags }, actor));
  }

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List teams', type: TeamListResponse })
  async list(@ValidQuery(ListTeamsRequest) query: ListTeamsRequest) {
    return TeamListResponse.of(await this.teams.list(teamListQueryOf(query)), query.offset);
  }

  @Get(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get a team', type: TeamResponse, notFound: UNKNOWN })
  async get(@TeamId() id: string) {
    return TeamResponse.of(await this.teams.get(id));
  }

  @Patch(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Update a team', type: TeamResponse, notFound: UNKNOWN })
  async update(
    @TeamId() id: string,
    @ValidBody(UpdateTeamRequest, { tags: ['production'] }) body: UpdateTeamRequest,
    @Actor() actor: AdminActor,
  ) {
    return TeamResponse.of(await this.teams.update(id, body, actor));
  }

  @Delete(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, {
    summary: 'Delete a team without keys, and its limits',
    type: DeletedResourceResponse,
    notFound: UNKNOWN,
  })
  remove(@TeamId() id: string, @Actor() actor: AdminActor): Promise<DeletedResourceResponse> {
    return this.teams.delete(id, actor).then(() => ({ id, deleted: true }));
  }
}
