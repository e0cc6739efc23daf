import { Injectable } from '@nestjs/common';
import { invalidInput } from '../errors/error-catalog.js';
import { LimitStore } from './stores/limit.store.js';

const EXPECTED = 'an IANA time zone name, such as Europe/Berlin';

/**
 * Accepts the time zones that both this process and PostgreSQL support. PostgreSQL computes the periods, so an unknown zone would make the
 * admission of all requests fail. Messages and the dashboard format their times in Node.
 */
@Injectable()
export class TimeZones {
  constructor(private readonly store: LimitStore) {}

  /** Returns the zone as PostgreSQL spells it. @throws GatewayError `validation_error` */
  async nameOf(zone: string): Promise<string> {
    if (zone === 'UTC') return zone;
    // Node also accepts offsets such as +01:00, and PostgreSQL would read them with the opposite sign.
    if (!/^[A-Za-z]/.test(zone) || !isKnownToNode(zone)) throw invalidInput('time_zone', EXPECTED);
    const name = await this.store.zoneNamed(zone);
    if (name === null) throw invalidInput('time_zone', `${EXPECTED}. PostgreSQL does not know '${zone}'`);
    return name;
  }
}

function isKnownToNode(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== null;
  } catch {
    return false;
  }
}
