import { Get, Patch, Post } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { KeysService } from '../../keys/keys.service.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor } from '../actor.decorator.js';
import { AdminBody } from '../admin-body.decorator.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { CreateApiKeyRequest, settingsOf, UpdateApiKeyRequest } from './api-key.request.dto.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  ApiKeyStatusResponse,
  CreatedApiKeyResponse,
  RevokedApiKeyResponse,
  RotatedApiKeyResponse,
} from './api-key.response.dto.js';
import { KeyId, UNKNOWN_KEY } from './key-id.decorator.js';
import { ListApiKeysRequest, listQueryOf } from './list-api-keys.request.dto.js';

/** What the operators of the gateway do with API keys. */
@AdminController('api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @AdminRoute({ role: 'admin' })
  @Answers(201, { summary: 'Create a key', type: CreatedApiKeyResponse })
  async create(@AdminBody(CreateApiKeyRequest) body: CreateApiKeyRequest, @Actor() actor: AdminActor) {
    return CreatedApiKeyResponse.issued(await this.keys.create(settingsOf(body), actor), this.clock.now());
  }

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'List keys', type: ApiKeyListResponse })
  async list(@AdminQuery(ListApiKeysRequest) query: ListApiKeysRequest) {
    return ApiKeyListResponse.of(await this.keys.list(listQueryOf(query)), query.offset, this.clock.now());
  }

  @Get(':id')
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Read a key', type: ApiKeyResponse, notFound: UNKNOWN_KEY })
  async get(@KeyId() id: string) {
    return ApiKeyResponse.of(await this.keys.get(id), this.clock.now());
  }

  @Patch(':id')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Change a key', type: ApiKeyResponse, notFound: UNKNOWN_KEY })
  async update(
    @KeyId() id: string,
    @AdminBody(UpdateApiKeyRequest, { monthly_token_limit: 10_000_000 }) body: UpdateApiKeyRequest,
    @Actor() actor: AdminActor,
  ) {
    return ApiKeyResponse.of(await this.keys.update(id, settingsOf(body), actor), this.clock.now());
  }

  @Post(':id/suspend')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Suspend a key', type: ApiKeyStatusResponse, notFound: 'no active key has this id' })
  async suspend(@KeyId() id: string, @Actor() actor: AdminActor) {
    return ApiKeyStatusResponse.of(await this.keys.change('suspend', id, actor));
  }

  @Post(':id/unsuspend')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Unsuspend a key', type: ApiKeyStatusResponse, notFound: 'no suspended key has this id' })
  async unsuspend(@KeyId() id: string, @Actor() actor: AdminActor) {
    return ApiKeyStatusResponse.of(await this.keys.change('unsuspend', id, actor));
  }

  @Post(':id/rotate')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Give a key a new secret', type: RotatedApiKeyResponse, notFound: 'unknown or revoked' })
  async rotate(@KeyId() id: string, @Actor() actor: AdminActor) {
    return RotatedApiKeyResponse.issued(await this.keys.rotate(id, actor));
  }

  @Post(':id/revoke')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Revoke a key for good', type: RevokedApiKeyResponse, notFound: 'unknown or revoked' })
  async revoke(@KeyId() id: string, @Actor() actor: AdminActor) {
    return RevokedApiKeyResponse.of(await this.keys.change('revoke', id, actor));
  }
}
