import { Injectable } from '@nestjs/common';
import { LostChanges } from '../audit/lost-changes/lost-changes.service.js';
import { KeyCache } from './key-cache.js';

/** Has keys read again when lost changes are found, and when an operator has decided about them. */
@Injectable()
export class LostKeyChanges {
  constructor(lost: LostChanges, cache: KeyCache) {
    lost.onChange(() => cache.keysChanged(null));
  }
}
