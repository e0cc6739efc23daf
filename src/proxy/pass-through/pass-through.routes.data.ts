import { ALL_ROUTES } from './all-routes.data.js';
import type { PassThroughFamily } from './pass-through-route.js';
import * as takes from './pass-through.request.dto.js';
import * as gives from './pass-through.response.dto.js';

const SHARED = 'All keys share one account and see each other’s objects.';

const FILES: PassThroughFamily = {
  tag: 'files',
  note: SHARED,
  sharedPath: true,
  routes: [
    {
      ...{ method: 'GET', path: '/v1/files', name: 'listFiles', summary: 'List files', gives: gives.FileList },
      query: {
        purpose: { type: 'string', description: 'Only files with this purpose.' },
        limit: { type: 'integer', description: 'Maximum number of files.' },
      },
    },
    {
      ...{ method: 'POST', path: '/v1/files', name: 'uploadFile', summary: 'Upload a file' },
      ...{ body: 'upload', takes: takes.FileUpload, gives: gives.FileObject },
    },
    {
      ...{ method: 'GET', path: '/v1/files/{file_id}', name: 'retrieveFile', summary: 'Retrieve a file' },
      gives: gives.FileObject,
    },
    {
      ...{ method: 'DELETE', path: '/v1/files/{file_id}', name: 'deleteFile', summary: 'Delete a file' },
      gives: gives.Deletion,
    },
    {
      ...{ method: 'GET', path: '/v1/files/{file_id}/content', name: 'downloadFile', summary: 'Download a file' },
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
      ...{ method: 'GET', path: '/v1/assistants', name: 'listAssistants', summary: 'List assistants' },
      gives: gives.AssistantList,
    },
    {
      ...{ method: 'POST', path: '/v1/assistants', name: 'createAssistant', summary: 'Create an assistant' },
      ...{ body: 'json', model: 'if-any', takes: takes.AssistantChange, gives: gives.Assistant },
    },
    {
      ...{ method: 'GET', path: '/v1/assistants/{assistant_id}', name: 'retrieveAssistant' },
      ...{ summary: 'Retrieve an assistant', gives: gives.Assistant },
    },
    {
      ...{ method: 'POST', path: '/v1/assistants/{assistant_id}', name: 'modifyAssistant' },
      ...{
        summary: 'Update an assistant',
        body: 'json',
        model: 'if-any',
        takes: takes.AssistantChange,
        gives: gives.Assistant,
      },
    },
    {
      ...{ method: 'DELETE', path: '/v1/assistants/{assistant_id}', name: 'deleteAssistant' },
      ...{ summary: 'Delete an assistant', gives: gives.Deletion },
    },
  ],
};

const THREADS: PassThroughFamily = {
  tag: 'threads',
  note: `${SHARED} The gateway does not record the tokens of runs, except of streamed runs with \`GW_ROUTES=all\`.`,
  assistants: true,
  routes: [
    {
      ...{ method: 'GET', path: '/v1/threads', name: 'listThreads', summary: 'List threads' },
      gives: gives.StoredObjectList,
    },
    {
      ...{ method: 'POST', path: '/v1/threads', name: 'createThread', summary: 'Create a thread' },
      ...{ takes: takes.ThreadCreation, gives: gives.StoredObject },
    },
    {
      ...{ method: 'GET', path: '/v1/threads/{thread_id}', name: 'retrieveThread', summary: 'Retrieve a thread' },
      gives: gives.StoredObject,
    },
    {
      ...{ method: 'DELETE', path: '/v1/threads/{thread_id}', name: 'deleteThread', summary: 'Delete a thread' },
      gives: gives.Deletion,
    },
    {
      ...{ method: 'GET', path: '/v1/threads/{thread_id}/messages', name: 'listThreadMessages' },
      ...{ summary: 'List thread messages', gives: gives.StoredObjectList },
    },
    {
      ...{ method: 'POST', path: '/v1/threads/{thread_id}/messages', name: 'createThreadMessage' },
      ...{ summary: 'Add a message to a thread', takes: takes.ThreadMessageCreation, gives: gives.StoredObject },
    },
    {
      ...{ method: 'GET', path: '/v1/threads/{thread_id}/messages/{message_id}', name: 'retrieveThreadMessage' },
      ...{ summary: 'Retrieve a thread message', gives: gives.StoredObject },
    },
    {
      ...{
        method: 'GET',
        path: '/v1/threads/{thread_id}/runs',
        name: 'listRuns',
        summary: 'List runs',
      },
      gives: gives.StoredObjectList,
    },
    {
      ...{ method: 'POST', path: '/v1/threads/{thread_id}/runs', name: 'createRun', summary: 'Run an assistant' },
      ...{ body: 'json', model: 'defaulted', usageOfAll: 'media', takes: takes.RunCreation },
      ...{ gives: gives.StoredObject, streams: true },
    },
    {
      ...{
        method: 'GET',
        path: '/v1/threads/{thread_id}/runs/{run_id}',
        name: 'retrieveRun',
        summary: 'Retrieve a run',
      },
      gives: gives.StoredObject,
    },
    {
      ...{ method: 'POST', path: '/v1/threads/{thread_id}/runs/{run_id}/cancel', name: 'cancelRun' },
      ...{ summary: 'Cancel a run', gives: gives.StoredObject },
    },
    {
      ...{ method: 'GET', path: '/v1/threads/{thread_id}/runs/{run_id}/steps', name: 'listRunSteps' },
      ...{ summary: 'List run steps', gives: gives.StoredObjectList },
    },
  ],
};

const VECTOR_STORES: PassThroughFamily = {
  tag: 'vector stores',
  note: SHARED,
  assistants: true,
  routes: [
    {
      ...{ method: 'GET', path: '/v1/vector_stores', name: 'listVectorStores', summary: 'List vector stores' },
      gives: gives.VectorStoreList,
    },
    {
      ...{ method: 'POST', path: '/v1/vector_stores', name: 'createVectorStore', summary: 'Create a vector store' },
      ...{ takes: takes.VectorStoreChange, gives: gives.VectorStore },
    },
    {
      ...{ method: 'GET', path: '/v1/vector_stores/{vector_store_id}', name: 'retrieveVectorStore' },
      ...{ summary: 'Retrieve a vector store', gives: gives.VectorStore },
    },
    {
      ...{ method: 'POST', path: '/v1/vector_stores/{vector_store_id}', name: 'modifyVectorStore' },
      ...{ summary: 'Update a vector store', takes: takes.VectorStoreChange, gives: gives.VectorStore },
    },
    {
      ...{ method: 'DELETE', path: '/v1/vector_stores/{vector_store_id}', name: 'deleteVectorStore' },
      ...{ summary: 'Delete a vector store', gives: gives.Deletion },
    },
    {
      ...{ method: 'GET', path: '/v1/vector_stores/{vector_store_id}/files', name: 'listVectorStoreFiles' },
      ...{ summary: 'List vector store files', gives: gives.StoredObjectList },
    },
    {
      ...{ method: 'POST', path: '/v1/vector_stores/{vector_store_id}/files', name: 'createVectorStoreFile' },
      ...{
        summary: 'Attach a file to a vector store',
        takes: takes.VectorStoreFileCreation,
        gives: gives.StoredObject,
      },
    },
    {
      ...{
        method: 'GET',
        path: '/v1/vector_stores/{vector_store_id}/files/{file_id}',
        name: 'retrieveVectorStoreFile',
      },
      ...{ summary: 'Retrieve a vector store file', gives: gives.StoredObject },
    },
    {
      ...{
        method: 'DELETE',
        path: '/v1/vector_stores/{vector_store_id}/files/{file_id}',
        name: 'deleteVectorStoreFile',
      },
      ...{ summary: 'Detach a file from a vector store', gives: gives.Deletion },
    },
  ],
};

/** Every configuration enables these. */
export const SPECIFIED_ROUTES: readonly PassThroughFamily[] = [FILES, ASSISTANTS, THREADS, VECTOR_STORES];

export const PASS_THROUGH: readonly PassThroughFamily[] = [...SPECIFIED_ROUTES, ...ALL_ROUTES];
