import type { Assistant } from '../assistants/assistant.js';
import type { StoredFile } from '../files/stored-file.js';
import type { StoredMessage } from '../messages/stored-message.js';
import type { StoredResponse } from '../responses/stored-response.js';
import type { Run } from '../threads/run.js';
import type { Thread } from '../threads/thread.js';
import type { ThreadMessage } from '../threads/thread-message.js';
import type { VectorStore } from '../vector-stores/vector-store.js';
import { Collection } from './collection.js';
import { StoredObjects } from './stored-objects.js';

const FILES_MAX = 10_000;
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** The objects that the clients of one sandbox created. They last until the process ends. */
export class SandboxMemory {
  readonly files = new Collection<StoredFile>('file-', FILES_MAX, FILE_BYTES_MAX);
  readonly assistants = new Collection<Assistant>('asst_');
  readonly threads = new Collection<Thread>('thread_');
  readonly threadMessages = new Collection<ThreadMessage>('msg_');
  readonly runs = new Collection<Run>('run_');
  readonly vectorStores = new Collection<VectorStore>('vs_');
  readonly objects = new StoredObjects();
  /** The IDs of messages and responses derive from their request, so that equal requests get equal bytes. */
  readonly messages = new Collection<StoredMessage>('msg_');
  readonly responses = new Collection<StoredResponse>('resp_');
}
