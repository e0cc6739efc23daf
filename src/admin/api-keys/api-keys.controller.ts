import { Get, Patch, Post } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { BulkTransitions } from '../../keys/bulk-transitions.service.js';
import { KeyQuotaService } from '../../keys/key-quota.service.js';
import { KeysService } from '../../keys/keys.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { KeyId, UNKNOWN_KEY } from '../id.pipes.js';
import {
  BulkKeysRequest,
  CreateApiKeyRequest,
  ListApiKeysRequest,
  listQueryOf,
  ResetQuotaRequest,
  settingsOf,
  UpdateApiKeyRequest,
} from './api-key.request.dto.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  ApiKeyStatusResponse,
  BulkRevokeResponse,
  BulkStatusResponse,
  CreatedApiKeyResponse,
  RevokedApiKeyResponse,
  RotatedApiKeyResponse,
} from './api-key.response.dto.js';
import { KeyQuotaResponse, QuotaResetResponse } from './key-quota.dto.js';

const UNKNOWN_OR_REVOKED = 'the key does not exist or is revoked.';

@AdminController('api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Create a key', type: CreatedApiKeyResponse })
  async create(@ValidBody(CreateApiKeyRequest) body: CreateApiKeyRequest, @Actor() actor: AdminActor) {
    return CreatedApiKeyResponse.issued(await this.keys.create(settingsOf(body), actor), this.clock.now());
  }

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List keys', type: ApiKeyListResponse })
  async list(@ValidQuery(ListApiKeysRequest) query: ListApiKeysRequest) {
    return ApiKeyListResponse.of(await this.keys.list(listQueryOf(query)), query.offset, this.clock.now());
  }

  @Get(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get a key', type: ApiKeyResponse, notFound: UNKNOWN_KEY })
  async get(@KeyId() id: string) {
    return ApiKeyResponse.of(await this.keys.get(id), this.clock.now());
  }

  @Patch(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Update a key', type: ApiKeyResponse, notFound: UNKNOWN_KEY })
  async update(
    @KeyId() id: string,
    @ValidBody(UpdateApiKeyRequest, { monthly_token_limit: 10_000_000 }) body: UpdateApiKeyRequest,
    @Actor() actor: AdminActor,
  ) {
    return ApiKeyResponse.of(await this.keys.update(id, settingsOf(body), actor), this.clock.now());
  }

  @Post(':id/suspend')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Suspend a key', type: ApiKeyStatusResponse, notFound: 'no active key has this ID.' })
  async suspend(@KeyId() id: string, @Actor() actor: AdminActor) {
    return ApiKeyStatusResponse.of(await this.keys.change('suspend', id, actor));
  }

  @Post(':id/unsuspend')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Unsuspend a key', type: ApiKeyStatusResponse, notFound: 'no suspended key has this ID.' })
  async unsuspend(@KeyId() id: string, @Actor() actor: AdminActor) {
    return ApiKeyStatusResponse.of(await this.keys.change('unsuspend', id, actor));
  }

  @Post(':id/rotate')
  @AdminRoute({ role: 'admin' })
  @Responds(200, {
    summary: 'Rotate a key: replace its raw key',
    type: RotatedApiKeyResponse,
    notFound: UNKNOWN_OR_REVOKED,
  })
  async rotate(@KeyId() id: string, @Actor() actor: AdminActor) {
    return RotatedApiKeyResponse.issued(await this.keys.rotate(id, actor));
  }

  @Post(':id/revoke')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Revoke a key permanently', type: RevokedApiKeyResponse, notFound: UNKNOWN_OR_REVOKED })
  async revoke(@KeyId() id: string, @Actor() actor: AdminActor) {
    return RevokedApiKeyResponse.of(await this.keys.change('revoke', id, actor));
  }
}

/** The status is 200 even if some keys fail. The response lists them. */
@AdminController('api-keys')
export class BulkKeysController {
  constructor(private readonly keys: BulkTransitions) {}

  @Post('bulk-suspend')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Suspend keys', type: BulkStatusResponse })
  async suspend(@ValidBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkStatusResponse.of(await this.keys.change('suspend', ids, actor));
  }

  @Post('bulk-unsuspend')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Unsuspend keys', type: BulkStatusResponse })
  async unsuspend(@ValidBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkStatusResponse.of(await this.keys.change('unsuspend', ids, actor));
  }

  @Post('bulk-revoke')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Revoke keys permanently', type: BulkRevokeResponse })
  async revoke(@ValidBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkRevokeResponse.of(await this.keys.change('revoke', ids, actor));
  }
}

@AdminController('api-keys')
export class KeyQuotaController {
  constructor(private readonly quota: KeyQuotaService) {}

  @Get(':id/quota')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get the quota of a key', type: KeyQuotaResponse, notFound: UNKNOWN_KEY })
  async read(@KeyId() id: string) {
    return KeyQuotaResponse.of(await this.quota.read(id));
  }

  @Post(':id/reset-quota')
  @AdminRoute({ role: 'admin' })
  @Responds(200, {
    summary: 'Reset the request counts of a key',
    type: QuotaResetResponse,
    notFound: UNKNOWN_KEY,
  })
  reset(
    @KeyId() id: string,
    @ValidBody(ResetQuotaRequest) { window = 'all' }: ResetQuotaRequest,
    @Actor() actor: AdminActor,
  ): Promise<QuotaResetResponse> {
    return this.quota.reset(id, window, actor).then(() => ({ key_id: id, window, reset: true }));
  }
}
