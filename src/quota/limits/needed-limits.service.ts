import { Injectable } from '@nestjs/common';
import { Outage } from '../outage.service.js';
import { LimitSet } from './limit-set.service.js';

/** Names the limits whose figures `quota` keeps in memory, in case the database becomes unavailable: all that can apply to a key. */
@Injectable()
export class NeededLimits {
  constructor(outage: Outage, set: LimitSet) {
    outage.readLimitsOf(set);
  }
}
