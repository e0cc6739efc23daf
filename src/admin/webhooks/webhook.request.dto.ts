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
      description: 'http or https, to a public address, without user name and password. Redirects are not followed.',
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
      `'*' alone, or names of types`,
    ),
    ArrayUnique({ ...AFTER_FIELDS, message: 'an array that names no type twice' }),
    ApiField({
      example: ['key_expired', 'key_revoked'],
      description: 'Types of events, or `*` alone for all of them.',
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

/** A field that is left out stays as it is. */
export class UpdateWebhookRequest {
  @TargetUrl(CanBeAbsent())
  url?: string;

  @EventTypes(CanBeAbsent())
  events?: string[];

  @ApiField({ description: 'true also takes `disabled_reason` away.' })
  @IsBoolean()
  @CanBeAbsent()
  enabled?: boolean;
}

export class ListDeliveriesRequest extends PageRequest {
  @QueryEnum(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}
