import { Injectable } from '@nestjs/common';
import { BatchedReads } from '../database/batched-reads.js';
import { ApiKeyStore, type ReadKey } from './stores/api-key.store.js';

/** Keys by their hashes (64 hex digits). */
@Injectable()
export class KeyReads extends BatchedReads<ReadKey> {
  constructor(store: ApiKeyStore) {
    super((hashes) => store.readByHashes(hashes));
  }
}
