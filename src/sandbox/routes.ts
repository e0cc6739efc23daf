import {
  createAssistant,
  deleteAssistant,
  listAssistants,
  modifyAssistant,
  retrieveAssistant,
} from './assistants/assistants.route.js';
import { createSpeech } from './audio/speech.route.js';
import { createTranscription } from './audio/transcriptions.route.js';
import { createChatCompletion } from './chat/chat-completions.route.js';
import { createCompletion } from './completions/completions.route.js';
import { createEmbeddings } from './embeddings/embeddings.route.js';
import { deleteFile, fileContent, listFiles, retrieveFile, uploadFile } from './files/files.route.js';
import { drawnImage, editImages, generateImages } from './images/images.route.js';
import { createMessage, retrieveMessage } from './messages/messages.route.js';
import { listModels, retrieveModel } from './models/models.route.js';
import { createResponse, deleteResponse, retrieveResponse } from './responses/responses.route.js';
import { cancelRun, createRun, listRuns, listRunSteps, retrieveRun } from './threads/runs.route.js';
import {
  createThread,
  createThreadMessage,
  deleteThread,
  listThreadMessages,
  listThreads,
  retrieveThread,
  retrieveThreadMessage,
} from './threads/threads.route.js';
import {
  attachFile,
  detachFile,
  listAttachedFiles,
  retrieveAttachedFile,
} from './vector-stores/vector-store-files.route.js';
import {
  createVectorStore,
  deleteVectorStore,
  listVectorStores,
  modifyVectorStore,
  retrieveVectorStore,
} from './vector-stores/vector-stores.route.js';
import type { SandboxRoute } from './wire/exchange.js';

/** Every route of the provider. `{name}` takes one segment of the path, `{name*}` the rest of it, slashes too. */
const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/models', handle: listModels },
  { method: 'GET', path: '/v1/models/{model*}', handle: retrieveModel },
  { method: 'POST', path: '/v1/chat/completions', handle: createChatCompletion },
  { method: 'POST', path: '/v1/completions', handle: createCompletion },
  { method: 'POST', path: '/v1/messages', handle: createMessage },
  { method: 'GET', path: '/v1/messages/{message}', handle: retrieveMessage },
  { method: 'POST', path: '/v1/responses', handle: createResponse },
  { method: 'GET', path: '/v1/responses/{response}', handle: retrieveResponse },
  { method: 'DELETE', path: '/v1/responses/{response}', handle: deleteResponse },
  { method: 'POST', path: '/v1/embeddings', handle: createEmbeddings },
  { method: 'POST', path: '/v1/audio/speech', handle: createSpeech },
  { method: 'POST', path: '/v1/audio/transcriptions', handle: createTranscription },
  { method: 'POST', path: '/v1/images/generations', handle: generateImages },
  { method: 'POST', path: '/v1/images/edits', handle: editImages },
  { method: 'GET', path: '/sandbox/images/{seed}.{format}', handle: drawnImage, open: true },
  { method: 'GET', path: '/v1/files', handle: listFiles },
  { method: 'POST', path: '/v1/files', handle: uploadFile },
  { method: 'GET', path: '/v1/files/{file}', handle: retrieveFile },
  { method: 'DELETE', path: '/v1/files/{file}', handle: deleteFile },
  { method: 'GET', path: '/v1/files/{file}/content', handle: fileContent },
  { method: 'GET', path: '/v1/assistants', handle: listAssistants },
  { method: 'POST', path: '/v1/assistants', handle: createAssistant },
  { method: 'GET', path: '/v1/assistants/{assistant}', handle: retrieveAssistant },
  { method: 'POST', path: '/v1/assistants/{assistant}', handle: modifyAssistant },
  { method: 'DELETE', path: '/v1/assistants/{assistant}', handle: deleteAssistant },
  { method: 'GET', path: '/v1/threads', handle: listThreads },
  { method: 'POST', path: '/v1/threads', handle: createThread },
  { method: 'GET', path: '/v1/threads/{thread}', handle: retrieveThread },
  { method: 'DELETE', path: '/v1/threads/{thread}', handle: deleteThread },
  { method: 'GET', path: '/v1/threads/{thread}/messages', handle: listThreadMessages },
  { method: 'POST', path: '/v1/threads/{thread}/messages', handle: createThreadMessage },
  { method: 'GET', path: '/v1/threads/{thread}/messages/{message}', handle: retrieveThreadMessage },
  { method: 'GET', path: '/v1/threads/{thread}/runs', handle: listRuns },
  { method: 'POST', path: '/v1/threads/{thread}/runs', handle: createRun },
  { method: 'GET', path: '/v1/threads/{thread}/runs/{run}', handle: retrieveRun },
  { method: 'POST', path: '/v1/threads/{thread}/runs/{run}/cancel', handle: cancelRun },
  { method: 'GET', path: '/v1/threads/{thread}/runs/{run}/steps', handle: listRunSteps },
  { method: 'GET', path: '/v1/vector_stores', handle: listVectorStores },
  { method: 'POST', path: '/v1/vector_stores', handle: createVectorStore },
  { method: 'GET', path: '/v1/vector_stores/{store}', handle: retrieveVectorStore },
  { method: 'POST', path: '/v1/vector_stores/{store}', handle: modifyVectorStore },
  { method: 'DELETE', path: '/v1/vector_stores/{store}', handle: deleteVectorStore },
  { method: 'GET', path: '/v1/vector_stores/{store}/files', handle: listAttachedFiles },
  { method: 'POST', path: '/v1/vector_stores/{store}/files', handle: attachFile },
  { method: 'GET', path: '/v1/vector_stores/{store}/files/{file}', handle: retrieveAttachedFile },
  { method: 'DELETE', path: '/v1/vector_stores/{store}/files/{file}', handle: detachFile },
];

interface FoundRoute {
  readonly route: SandboxRoute;
  /** Decoded; by the names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

const matchers = SANDBOX_ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }));

/** `path` is without its query; null where no route has this method and path. */
export function findRoute(method: string, path: string): FoundRoute | null {
  for (const { route, pattern } of matchers) {
    const match = route.method === method ? pattern.exec(path) : null;

    if (match !== null) {
      const params = decoded(match.groups ?? {});

      return params === null ? null : { route, params };
    }
  }
  return null;
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(
      /\{(\w+)(\*?)\}/g,
      (_whole, name: string, rest: string) => `(?<${name}>${rest === '' ? '[^/]+' : '.+'})`,
    );

  return new RegExp(`^${source}$`);
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return null; // a bad `%`: no such URL
  }
}
