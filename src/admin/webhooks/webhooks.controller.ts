import { Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { DeliveriesService } from '../../audit/events/deliveries.service.js';
import { WebhooksService } from '../../audit/events/webhooks.service.js';
import type { AdminActor, CallerSession } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Caller, Responds } from '../admin.decorators.js';
import { PageRequest } from '../page.dto.js';
import { PathParam, UuidPipe } from '../id.pipes.js';
import {
  CreateWebhookRequest,
  ListDeliveriesRequest,
  UpdateWebhookRequest,
  CreatedWebhookResponse,
  DeliveryListResponse,
  DeliveryResponse,
  TestedWebhookResponse,
  WebhookListResponse,
  WebhookResponse,
} from './webhook.dto.js';
import { DeletedResourceResponse } from '../deleted.dto.js';

const WebhookId = () => Param('id', new UuidPipe('Webhook not found'));
const UNKNOWN = 'no webhook has this ID.';
const UNKNOWN_OR_DELIVERED = 'the delivery does not exist or has been delivered.';

const DeliveryId = () =>
  PathParam('delivery_id', { type: 'string', format: 'uuid' }, new UuidPipe('Delivery not found or already delivered'));

@AdminController('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Create a webhook', type: CreatedWebhookResponse })
  async create(
    @ValidBody(CreateWebhookRequest) body: CreateWebhookRequest,
    @Actor() actor: AdminActor,
    @Caller() caller: CallerSession | null,
  ) {
    return CreatedWebhookResponse.made(await this.webhooks.create({ enabled: true, ...body }, actor), caller);
  }

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List webhooks', type: WebhookListResponse })
  async list(@ValidQuery(PageRequest) query: PageRequest, @Caller() caller: CallerSession | null) {
    return WebhookListResponse.of(await this.webhooks.list(query), query.offset, caller);
  }

  @Get(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get a webhook', type: WebhookResponse, notFound: UNKNOWN })
  async get(@WebhookId() id: string, @Caller() caller: CallerSession | null) {
    return WebhookResponse.of(await this.webhooks.get(id), caller);
  }

  @Patch(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Update a webhook', type: WebhookResponse, notFound: UNKNOWN })
  async update(
    @WebhookId() id: string,
    @ValidBody(UpdateWebhookRequest, { enabled: true }) body: UpdateWebhookRequest,
    @Actor() actor: AdminActor,
    @Caller() caller: CallerSession | null,
  ) {
    return WebhookResponse.of(await this.webhooks.update(id, body, actor), caller);
  }

  @Delete(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Delete a webhook', type: DeletedResourceResponse, notFound: UNKNOWN })
  remove(@WebhookId() id: string, @Actor() actor: AdminActor): Promise<DeletedResourceResponse> {
    return this.webhooks.delete(id, actor).then(() => ({ id, deleted: true }));
  }

  @Post(':id/test')
  @AdminRoute({ role: 'admin' })
  @Responds(202, { summary: 'Send a test event', type: TestedWebhookResponse, notFound: UNKNOWN })
  async test(@WebhookId() id: string, @Actor() actor: AdminActor) {
    return TestedWebhookResponse.of(await this.deliveries.test(id, actor));
  }

  @Get(':id/deliveries')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the deliveries of a webhook', type: DeliveryListResponse, notFound: UNKNOWN })
  async listDeliveries(
    @WebhookId() id: string,
    @ValidQuery(ListDeliveriesRequest) query: ListDeliveriesRequest,
    @Caller() caller: CallerSession | null,
  ) {
    return DeliveryListResponse.of(await this.deliveries.list(id, query), query.offset, caller);
  }

  @Post(':id/deliveries/:delivery_id/retry')
  @AdminRoute({ role: 'admin' })
  @Responds(202, { summary: 'Retry a delivery', type: DeliveryResponse, notFound: UNKNOWN_OR_DELIVERED })
  async retry(
    @WebhookId() id: string,
    @DeliveryId() deliveryId: string,
    @Actor() actor: AdminActor,
    @Caller() caller: CallerSession | null,
  ) {
    return DeliveryResponse.of(await this.deliveries.retry(id, deliveryId, actor), caller);
  }
}
