import { DELIVERY_STATUSES, type DeliveryStatus } from '../../events/event-type.data.js';
import { QueryEnum } from '../../validation/query-fields.js';
import { PageRequest } from '../page/page.request.dto.js';

export class ListDeliveriesRequest extends PageRequest {
  @QueryEnum(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}
