import { ALL_ROUTES } from './all-routes.data.js';
import type { PassThroughFamily } from './pass-through-route.js';
import * as bodies from './pass-through.dto.js';

const SHARED = 'All keys share one account and see each other’s objects.';

const FILES: PassThroughFamily = {
  tag: 'files',
  note: SHARED,
  sharedPath: true,
  routes: [
    {
      method: 'GET',
      path: '/v1/files',
      name: 'listFiles',
      summary: 'List files',
      gives: bodies.FileList,
      query: {
        purpose: { type: 'string', description: 'Only files with this purpose.' },
        limit: { type: 'integer', description: 'Maximum number of files.' },
      },
    },
    {
      method: 'POST',
      path: '/v1/files',
      name: 'uploadFile',
      summary: 'Upload a file',
      body: 'upload',
      takes: bodies.FileUpload,
      gives: bodies.FileObject,
    },
    {
      method: 'GET',
      path: '/v1/files/{file_id}',
      name: 'retrieveFile',
      summary: 'Retrieve a file',
      gives: bodies.FileObject,
    },
    {
      method: 'DELETE',
      path: '/v1/files/{file_id}',
      name: 'deleteFile',
      summary: 'Delete a file',
      gives: bodies.Deletion,
    },
    {
      method: 'GET',
      path: '/v1/files/{file_id}/content',
      name: 'downloadFile',
      summary: 'Download a file',
      gives: 'file',
    },
  ],
};

const ASSISTANTS: PassThroughFamily = {
  tag: 'assistants',
  note: SHARED,
  assistants: true,
  routes: [
    {
      method: 'GET',
      path: '/v1/assistants',
      name: 'listAssistants',
      summary: 'List assistants',
      gives: bodies.AssistantList,
    },
    {
      method: 'POST',
      path: '/v1/assistants',
      name: 'createAssistant',
      summary: 'Create an assistant',
      body: 'json',
      model: 'if-any',
      takes: bodies.AssistantChange,
      gives: bodies.Assistant,
    },
    {
      method: 'GET',
      path: '/v1/assistants/{assistant_id}',
      name: 'retrieveAssistant',
      summary: 'Retrieve an assistant',
      gives: bodies.Assistant,
    },
    {
      method: 'POST',
      path: '/v1/assistants/{assistant_id}',
      name: 'modifyAssistant',
      summary: 'Update an assistant',
      body: 'json',
      model: 'if-any',
      takes: bodies.AssistantChange,
      gives: bodies.Assistant,
    },
    {
      method: 'DELETE',
      path: '/v1/assistants/{assistant_id}',
      name: 'deleteAssistant',
      summary: 'Delete an assistant',
      gives: bodies.Deletion,
    },
  ],
};

const THREADS: PassThroughFamily = {
  tag: 'threads',
  note: `${SHARED} The tokens of a run are recorded when its complete object is read.`,
  assistants: true,
  routes: [
    {
      method: 'GET',
      path: '/v1/threads',
      name: 'listThreads',
      summary: 'List threads',
      gives: bodies.StoredObjectList,
    },
    {
      method: 'POST',
      path: '/v1/threads',
      name: 'createThread',
      summary: 'Create a thread',
      takes: bodies.ThreadCreation,
      gives: bodies.StoredObject,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}',
      name: 'retrieveThread',
      summary: 'Retrieve a thread',
      gives: bodies.StoredObject,
    },
    {
      method: 'DELETE',
      path: '/v1/threads/{thread_id}',
      name: 'deleteThread',
      summary: 'Delete a thread',
      gives: bodies.Deletion,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}/messages',
      name: 'listThreadMessages',
      summary: 'List thread messages',
      gives: bodies.StoredObjectList,
    },
    {
      method: 'POST',
      path: '/v1/threads/{thread_id}/messages',
      name: 'createThreadMessage',
      summary: 'Add a message to a thread',
      takes: bodies.ThreadMessageCreation,
      gives: bodies.StoredObject,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}/messages/{message_id}',
      name: 'retrieveThreadMessage',
      summary: 'Retrieve a thread message',
      gives: bodies.StoredObject,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}/runs',
      name: 'listRuns',
      summary: 'List runs',
      gives: bodies.StoredObjectList,
    },
    {
      method: 'POST',
      path: '/v1/threads/{thread_id}/runs',
      name: 'createRun',
      summary: 'Run an assistant',
      body: 'json',
      model: 'defaulted',
      usage: 'units',
      usageOfAll: 'media',
      takes: bodies.RunCreation,
      defaultModelOf: '/v1/assistants/{assistant_id}',
      gives: bodies.StoredObject,
      streams: true,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}/runs/{run_id}',
      name: 'retrieveRun',
      laterUsage: 'media',
      summary: 'Retrieve a run',
      gives: bodies.StoredObject,
    },
    {
      method: 'POST',
      path: '/v1/threads/{thread_id}/runs/{run_id}/cancel',
      name: 'cancelRun',
      laterUsage: 'media',
      summary: 'Cancel a run',
      gives: bodies.StoredObject,
    },
    {
      method: 'GET',
      path: '/v1/threads/{thread_id}/runs/{run_id}/steps',
      name: 'listRunSteps',
      summary: 'List run steps',
      gives: bodies.StoredObjectList,
    },
  ],
};

const VECTOR_STORES: PassThroughFamily = {
  tag: 'vector stores',
  note: SHARED,
  assistants: true,
  routes: [
    {
      method: 'GET',
      path: '/v1/vector_stores',
      name: 'listVectorStores',
      summary: 'List vector stores',
      gives: bodies.VectorStoreList,
    },
    {
      method: 'POST',
      path: '/v1/vector_stores',
      name: 'createVectorStore',
      summary: 'Create a vector store',
      takes: bodies.VectorStoreChange,
      gives: bodies.VectorStore,
    },
    {
      method: 'GET',
      path: '/v1/vector_stores/{vector_store_id}',
      name: 'retrieveVectorStore',
      summary: 'Retrieve a vector store',
      gives: bodies.VectorStore,
    },
    {
      method: 'POST',
      path: '/v1/vector_stores/{vector_store_id}',
      name: 'modifyVectorStore',
      summary: 'Update a vector store',
      takes: bodies.VectorStoreChange,
      gives: bodies.VectorStore,
    },
    {
      method: 'DELETE',
      path: '/v1/vector_stores/{vector_store_id}',
      name: 'deleteVectorStore',
      summary: 'Delete a vector store',
      gives: bodies.Deletion,
    },
    {
      method: 'GET',
      path: '/v1/vector_stores/{vector_store_id}/files',
      name: 'listVectorStoreFiles',
      summary: 'List vector store files',
      gives: bodies.StoredObjectList,
    },
    {
      method: 'POST',
      path: '/v1/vector_stores/{vector_store_id}/files',
      name: 'createVectorStoreFile',
      summary: 'Attach a file to a vector store',
      takes: bodies.VectorStoreFileCreation,
      gives: bodies.StoredObject,
    },
    {
      method: 'GET',
      path: '/v1/vector_stores/{vector_store_id}/files/{file_id}',
      name: 'retrieveVectorStoreFile',
      summary: 'Retrieve a vector store file',
      gives: bodies.StoredObject,
    },
    {
      method: 'DELETE',
      path: '/v1/vector_stores/{vector_store_id}/files/{file_id}',
      name: 'deleteVectorStoreFile',
      summary: 'Detach a file from a vector store',
      gives: bodies.Deletion,
    },
  ],
};

/** Every configuration enables these. */
export const SPECIFIED_ROUTES: readonly PassThroughFamily[] = [FILES, ASSISTANTS, THREADS, VECTOR_STORES];

export const PASS_THROUGH: readonly PassThroughFamily[] = [...SPECIFIED_ROUTES, ...ALL_ROUTES];
