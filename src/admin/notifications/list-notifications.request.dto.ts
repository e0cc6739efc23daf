import { QueryFlag } from '../../validation/query-fields.js';
import { PageRequest } from '../page/page.request.dto.js';

export class ListNotificationsRequest extends PageRequest {
  @QueryFlag({ description: 'true: only what the caller has not read; false: only what it has. Left out: both.' })
  unread?: boolean;
}
