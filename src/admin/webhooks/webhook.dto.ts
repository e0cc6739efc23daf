import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import type { Delivery } from '../../audit/events/deliveries.service.js';
import { DELIVERY_STATUSES, type DeliveryStatus, EVENT_TYPES } from '../../audit/events/event-type.data.js';
import type { Webhook } from '../../audit/events/webhooks.service.js';
import { Page, pageOf, PageRequest } from '../page.dto.js';
import { allows } from '../../auth/operators/role.rules.js';
import type { CallerSession } from '../../platform/request-context/caller-session.js';
import { maskedUrl, URL_EXPECTED, URL_FORM, URL_LENGTH_MAX } from '../../audit/events/webhook-target.rules.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  Compared,
  HasLength,
  IsStorable,
} from '../../platform/validation/input.decorators.js';
import { QueryEnum } from '../../platform/validation/query-fields.js';
import { TIME } from '../fields.data.js';

const TargetUrl = (...presence: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ...presence,
    IsString(),
    HasLength(1, URL_LENGTH_MAX),
    Matches(URL_FORM, { message: URL_EXPECTED }),
    IsStorable(),
    ApiField({
      example: 'https://example.com/hooks/gateway',
      description:
        'HTTP or HTTPS URL with a public address, without user name and password. The gateway does not follow redirects.',
    }),
  );

const EventTypes = (...presence: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ...presence,
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(EVENT_TYPES.length),
    IsIn(['*', ...EVENT_TYPES], { each: true }),
    Compared<CreateWebhookRequest>(
      ({ events }) => events.length === 1 || !events.includes('*'),
      `either '*' alone or a list of event types`,
    ),
    ArrayUnique({ ...AFTER_FIELDS, message: 'an array without duplicate types' }),
    ApiField({
      example: ['key_expired', 'key_revoked'],
      description: 'Event types, or `*` alone for all types.',
    }),
  );

export class CreateWebhookRequest {
  @TargetUrl()
  url: string;

  @EventTypes()
  events: string[];

  @ApiField({ default: true })
  @IsBoolean()
  @CanBeAbsent()
  enabled?: boolean;
}

export class UpdateWebhookRequest {
  @TargetUrl(CanBeAbsent())
  url?: string;

  @EventTypes(CanBeAbsent())
  events?: string[];

  @ApiField({ description: '`true` also clears `disabled_reason`.' })
  @IsBoolean()
  @CanBeAbsent()
  enabled?: boolean;
}

export class ListDeliveriesRequest extends PageRequest {
  @QueryEnum(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}

const ID = { format: 'uuid', example: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90' } as const;
const OTHER_ID = { format: 'uuid', example: '7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7' } as const;

/** @param caller null for the admin key */
const canSetWebhooks = (caller: CallerSession | null): boolean =>
  caller === null || allows(caller.operator.role, 'admin');

export class WebhookResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({
    example: 'https://example.com/hooks/gateway',
    description: 'Viewers see only the origin, followed by `/…`, because the rest can contain a token.',
  })
  url: string;

  @ApiProperty({
    type: [String],
    enum: ['*', ...EVENT_TYPES],
    isArray: true,
    example: ['key_expired', 'key_revoked'],
    description: '`*` means all types.',
  })
  events: readonly string[];

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({
    type: String,
    enum: ['failing'],
    nullable: true,
    example: null,
    description: '`failing`: the gateway disabled the webhook because all deliveries failed for three days.',
  })
  disabled_reason: string | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(TIME)
  updated_at: Date;

  static of(webhook: Webhook, caller: CallerSession | null): WebhookResponse {
    return {
      id: webhook.id,
      url: canSetWebhooks(caller) ? webhook.url : maskedUrl(webhook.url),
      events: webhook.events,
      enabled: webhook.enabled,
      disabled_reason: webhook.disabledReason,
      created_at: webhook.createdAt,
      updated_at: webhook.updatedAt,
    };
  }
}

export class CreatedWebhookResponse extends WebhookResponse {
  @ApiProperty({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    example: `whsec_${'A'.repeat(43)}=`,
    description: 'Verifies the signatures (Standard Webhooks). It is shown only once.',
  })
  secret: string;

  static made(
    { webhook, secret }: { webhook: Webhook; secret: string },
    caller: CallerSession | null,
  ): CreatedWebhookResponse {
    return { ...WebhookResponse.of(webhook, caller), secret };
  }
}

export class WebhookListResponse extends Page {
  @ApiProperty({ type: [WebhookResponse] })
  webhooks: WebhookResponse[];

  static of(
    { total, webhooks }: { total: number; webhooks: Webhook[] },
    offset: number,
    caller: CallerSession | null,
  ): WebhookListResponse {
    const rows = webhooks.map((webhook) => WebhookResponse.of(webhook, caller));
    return { ...pageOf(total, offset, rows.length), webhooks: rows };
  }
}

export class TestedWebhookResponse {
  @ApiProperty(ID)
  event_id: string;

  @ApiProperty({ ...OTHER_ID, description: 'ID in the list of deliveries.' })
  delivery_id: string;

  static of({ eventId, deliveryId }: { eventId: string; deliveryId: string }): TestedWebhookResponse {
    return { event_id: eventId, delivery_id: deliveryId };
  }
}

/** Without a response, the excerpt is the gateway's own text. */
const showsResponse = ({ responseStatus }: Delivery, caller: CallerSession | null): boolean =>
  responseStatus === null || canSetWebhooks(caller);

export class DeliveryResponse {
  @ApiProperty(OTHER_ID)
  id: string;

  @ApiProperty({ ...ID, description: 'The `webhook-id` header of every attempt.' })
  event_id: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type: string;

  @ApiProperty({ enum: DELIVERY_STATUSES, description: '`failed`: the gateway does not retry the delivery.' })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  attempts: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 204,
    description: 'Status of the last attempt. Null if there was no response.',
  })
  response_status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 500,
    example: 'ok',
    description:
      'Beginning of the response to the last attempt, or null for viewers, because a receiver can repeat its URL. Without a response, the reason in square brackets.',
  })
  response_excerpt: string | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null if no further attempt is scheduled.' })
  next_attempt_at: Date | null;

  @ApiProperty(TIME)
  created_at: Date;

  static of(delivery: Delivery, caller: CallerSession | null): DeliveryResponse {
    return {
      id: delivery.id,
      event_id: delivery.eventId,
      type: delivery.type,
      status: delivery.status,
      attempts: delivery.attempts,
      response_status: delivery.responseStatus,
      response_excerpt: showsResponse(delivery, caller) ? delivery.responseExcerpt : null,
      next_attempt_at: delivery.nextAttemptAt,
      created_at: delivery.createdAt,
    };
  }
}

export class DeliveryListResponse extends Page {
  @ApiProperty({ type: [DeliveryResponse] })
  deliveries: DeliveryResponse[];

  static of(
    { total, deliveries }: { total: number; deliveries: Delivery[] },
    offset: number,
    caller: CallerSession | null,
  ): DeliveryListResponse {
    const rows = deliveries.map((delivery) => DeliveryResponse.of(delivery, caller));
    return { ...pageOf(total, offset, rows.length), deliveries: rows };
  }
}
