import { ASSISTANTS_ROUTES } from './assistants/assistants.route.js';
import { SPEECH_ROUTES } from './audio/speech.route.js';
import { TRANSCRIPTIONS_ROUTES } from './audio/transcriptions.route.js';
import { BATCHES_ROUTES } from './batches/batches.route.js';
import { CHAT_COMPLETIONS_ROUTES } from './chat/chat-completions.route.js';
import { COMPLETIONS_ROUTES } from './completions/completions.route.js';
import { CONTAINERS_ROUTES } from './containers/containers.route.js';
import { CONVERSATIONS_ROUTES } from './conversations/conversations.route.js';
import { EMBEDDINGS_ROUTES } from './embeddings/embeddings.route.js';
import { EVALS_ROUTES } from './evals/evals.route.js';
import { FILES_ROUTES } from './files/files.route.js';
import { FINE_TUNING_ROUTES } from './fine-tuning/fine-tuning.route.js';
import { IMAGES_ROUTES } from './images/images.route.js';
import { MESSAGE_BATCHES_ROUTES } from './messages/message-batches.route.js';
import { MESSAGES_ROUTES } from './messages/messages.route.js';
import { MODELS_ROUTES } from './models/models.route.js';
import { MODERATIONS_ROUTES } from './moderations/moderations.route.js';
import { REALTIME_ROUTES } from './realtime/realtime.route.js';
import { RESPONSES_ROUTES } from './responses/responses.route.js';
import { SKILLS_ROUTES } from './skills/skills.route.js';
import { RUNS_ROUTES } from './threads/runs.route.js';
import { THREADS_ROUTES } from './threads/threads.route.js';
import { UPLOADS_ROUTES } from './uploads/uploads.route.js';
import { FILE_BATCHES_ROUTES } from './vector-stores/file-batches.route.js';
import { VECTOR_STORE_SEARCH_ROUTES } from './vector-stores/vector-store-search.route.js';
import { VECTOR_STORE_FILES_ROUTES } from './vector-stores/vector-store-files.route.js';
import { VECTOR_STORES_ROUTES } from './vector-stores/vector-stores.route.js';
import { VIDEOS_ROUTES } from './videos/videos.route.js';
import type { SandboxRoute } from './wire/exchange.js';

/** `{name}` matches one segment of the path, and `{name*}` matches the rest of it. */
const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  ...MODELS_ROUTES,
  ...CHAT_COMPLETIONS_ROUTES,
  ...COMPLETIONS_ROUTES,
  // The first match wins, so fixed paths such as `/v1/messages/batches` precede paths with an ID in the same segment.
  ...MESSAGE_BATCHES_ROUTES,
  ...MESSAGES_ROUTES,
  ...RESPONSES_ROUTES,
  ...CONVERSATIONS_ROUTES,
  ...EMBEDDINGS_ROUTES,
  ...SPEECH_ROUTES,
  ...TRANSCRIPTIONS_ROUTES,
  ...IMAGES_ROUTES,
  ...FILES_ROUTES,
  ...ASSISTANTS_ROUTES,
  ...RUNS_ROUTES,
  ...THREADS_ROUTES,
  ...VECTOR_STORES_ROUTES,
  ...VECTOR_STORE_FILES_ROUTES,
  ...VECTOR_STORE_SEARCH_ROUTES,
  ...FILE_BATCHES_ROUTES,
  ...BATCHES_ROUTES,
  ...CONTAINERS_ROUTES,
  ...EVALS_ROUTES,
  ...FINE_TUNING_ROUTES,
  ...MODERATIONS_ROUTES,
  ...REALTIME_ROUTES,
  ...SKILLS_ROUTES,
  ...UPLOADS_ROUTES,
  ...VIDEOS_ROUTES,
];

interface FoundRoute {
  readonly route: SandboxRoute;
  readonly params: Readonly<Record<string, string>>;
}

const matchers = SANDBOX_ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }));

/** Finds the route for a path without its query, or returns null. */
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
    return null; // Malformed percent-encoding matches no URL.
  }
}
