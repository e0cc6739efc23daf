import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { DELIVERY_STATUSES, type DeliveryStatus, EVENT_TYPES } from '../../events/event-type.data.js';
import { URL_EXPECTED, URL_FORM, URL_LENGTH_MAX } from '../../events/webhook-target.rules.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  Compared,
  HasLength,
  IsStorable,
} from '../../validation/input.decorators.js';
import { QueryEnum } from '../../validation/query-fields.js';
import { PageRequest } from '../page.dto.js';

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
