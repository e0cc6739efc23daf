import { EVENT_TYPES } from '../../events/event-type.data.js';
import { URL_EXPECTED, URL_FORM, URL_LENGTH_MAX } from '../../events/webhook-target.rules.js';
import { invalidValue } from '../../errors/catalogue.js';
import { BooleanField, Field, StringField } from '../../validation/fields.js';
import { arrayOf } from '../../validation/compound-kinds.js';
import { type Rule, Rules } from '../../validation/rules.decorator.js';
import { oneOf } from '../../validation/scalar-kinds.js';

const URL_TEXT = {
  ...{ min: 1, max: URL_LENGTH_MAX, stored: true, example: 'https://example.com/hooks/gateway' },
  ...{ pattern: URL_FORM, expected: URL_EXPECTED },
  description: 'http or https, to a public address, without user name and password. Redirects are not followed.',
} as const;
const EVENTS = {
  example: ['key_expired', 'key_revoked'],
  description: 'Types of events, or `*` alone for all of them.',
} as const;
const list = arrayOf(oneOf('*', ...EVENT_TYPES), { min: 1, max: EVENT_TYPES.length });
/** `namesAreClear` checks that they are unique. */
const events = { ...list, schema: { ...list.schema, uniqueItems: true } };

/** Runs once every entry is known to be a name. */
const namesAreClear: Rule<{ readonly events?: readonly string[] }> = ({ events }) => {
  if (events === undefined) return null;
  if (events.length > 1 && events.includes('*')) return invalidValue('events', `'*' alone, or names of types`);
  return new Set(events).size < events.length ? invalidValue('events', 'an array that names no type twice') : null;
};

@Rules(namesAreClear)
export class CreateWebhookRequest {
  @StringField({ ...URL_TEXT, required: true })
  url: string;

  @Field(events, { ...EVENTS, required: true })
  events: string[];

  @BooleanField({ byDefault: true })
  enabled?: boolean;
}

/** What is left out stays as it is. */
@Rules(namesAreClear)
export class UpdateWebhookRequest {
  @StringField(URL_TEXT)
  url?: string;

  @Field(events, EVENTS)
  events?: string[];

  @BooleanField({ description: 'true also takes `disabled_reason` away.' })
  enabled?: boolean;
}
