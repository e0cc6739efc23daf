import type { PassThroughFamily, PassThroughRoute } from './pass-through-route.js';
import * as bodies from './pass-through.dto.js';

// The routes that `GW_ROUTES=all` adds. Routes without `usage` record no tokens. docs/profiles.md explains each family.

type More = Omit<PassThroughRoute, 'method' | 'path' | 'name' | 'summary'>;
type Row = (path: string, name: string, summary: string, more?: More) => PassThroughRoute;

const get: Row = (path, name, summary, more) => ({ method: 'GET', path, name, summary, ...more });
const post: Row = (path, name, summary, more) => ({ method: 'POST', path, name, summary, ...more });
const remove: Row = (path, name, summary, more) => ({ method: 'DELETE', path, name, summary, ...more });

const SHARED = 'All keys share one account and see each other’s objects.';
const UNMETERED = 'The cost is unknown, so the request counts as unpriced.';
const BYPASSES_GATEWAY =
  'The session itself bypasses the gateway, which neither counts nor meters it. Its cost is unknown, so the request counts as unpriced.';

/** Enough for a file of 25 MiB with the rest of its form, or for a list of many requests. */
const LARGE_BODY_BYTES_MAX = 26 * 1024 * 1024;
const FILE: More = { gives: 'file' };
const ARCHIVE: More = { gives: 'zip' };
const UPLOAD: More = { body: 'upload' };
const STREAMED: More = { body: 'streamed' };
/** The body can name models, but the route does not run them. */
const NAMES_MODELS: More = { body: 'json', model: 'if-any', judgedAs: null };
/** `session` in the body names the model. Without it, the provider chooses one. */
const SESSION: More = {
  body: 'json',
  model: 'defaulted',
  modelIn: 'session',
  judgedAs: null,
  takes: bodies.SessionCreation,
  usage: 'units',
};

const MESSAGES: PassThroughFamily = {
  tag: 'messages',
  note: 'This request costs no tokens.',
  enabledBy: 'all',
  api: 'anthropic',
  routes: [
    post('/v1/messages/count_tokens', 'countMessageTokens', 'Count the tokens of a message', {
      body: 'json',
      model: 'gated',
      judgedAs: '/v1/messages',
    }),
  ],
};

const NAMES_RESULTS: More = { namesResults: true };
const MESSAGE_BATCHES: PassThroughFamily = {
  tag: 'messages',
  note: `${SHARED} ${UNMETERED}`,
  enabledBy: 'batches',
  api: 'anthropic',
  routes: [
    get('/v1/messages/batches', 'listMessageBatches', 'List message batches', NAMES_RESULTS),
    post('/v1/messages/batches', 'createMessageBatch', 'Create a message batch', {
      usage: 'units',
      ...NAMES_RESULTS,
      body: 'json',
      bodyBytesMax: LARGE_BODY_BYTES_MAX,
      model: 'if-any',
      judgedAs: '/v1/messages',
      requestsIn: 'requests',
    }),
    get('/v1/messages/batches/{batch_id}', 'retrieveMessageBatch', 'Retrieve a message batch', NAMES_RESULTS),
    remove('/v1/messages/batches/{batch_id}', 'deleteMessageBatch', 'Delete a message batch'),
    post('/v1/messages/batches/{batch_id}/cancel', 'cancelMessageBatch', 'Cancel a message batch', NAMES_RESULTS),
    get('/v1/messages/batches/{batch_id}/results', 'readMessageBatchResults', 'Read the results of a message batch', {
      gives: 'lines',
    }),
  ],
};

const STORED_CHATS: PassThroughFamily = {
  tag: 'chat',
  note: SHARED,
  enabledBy: 'all',
  routes: [
    get('/v1/chat/completions', 'listChatCompletions', 'List stored chat completions', {
      gives: bodies.StoredObjectList,
    }),
    get('/v1/chat/completions/{completion_id}', 'retrieveChatCompletion', 'Retrieve a stored chat completion'),
    post('/v1/chat/completions/{completion_id}', 'updateChatCompletion', 'Update a stored chat completion'),
    remove('/v1/chat/completions/{completion_id}', 'deleteChatCompletion', 'Delete a stored chat completion', {
      gives: bodies.Deletion,
    }),
    get(
      '/v1/chat/completions/{completion_id}/messages',
      'listChatCompletionMessages',
      'List the messages of a stored chat completion',
    ),
  ],
};

const RESPONSES: PassThroughFamily = {
  tag: 'responses',
  note: SHARED,
  enabledBy: 'all',
  routes: [
    post('/v1/responses/compact', 'compactResponse', 'Compact a conversation', {
      body: 'json',
      model: 'defaulted',
      judgedAs: '/v1/responses',
      usage: 'responses',
    }),
    post('/v1/responses/input_tokens', 'countInputTokens', 'Count the input tokens of a request (costs no tokens)', {
      body: 'json',
      model: 'if-any',
      judgedAs: '/v1/responses',
    }),
    get('/v1/responses/{id}/input_items', 'listInputItems', 'List the input items of a response'),
    post('/v1/responses/{id}/cancel', 'cancelResponse', 'Cancel a background response', { laterUsage: 'responses' }),
    post('/v1/decisions', 'createDecision', 'Answer classification and scoring questions', {
      body: 'json',
      model: 'defaulted',
      usage: 'responses',
    }),
  ],
};

const CONVERSATIONS: PassThroughFamily = {
  tag: 'conversations',
  note: SHARED,
  enabledBy: 'all',
  routes: [
    post('/v1/conversations', 'createConversation', 'Create a conversation', NAMES_MODELS),
    get('/v1/conversations/{conversation_id}', 'retrieveConversation', 'Retrieve a conversation'),
    post('/v1/conversations/{conversation_id}', 'updateConversation', 'Update a conversation'),
    remove('/v1/conversations/{conversation_id}', 'deleteConversation', 'Delete a conversation'),
    get('/v1/conversations/{conversation_id}/items', 'listConversationItems', 'List conversation items'),
    post(
      '/v1/conversations/{conversation_id}/items',
      'createConversationItems',
      'Add items to a conversation',
      NAMES_MODELS,
    ),
    get(
      '/v1/conversations/{conversation_id}/items/{item_id}',
      'retrieveConversationItem',
      'Retrieve a conversation item',
    ),
    remove(
      '/v1/conversations/{conversation_id}/items/{item_id}',
      'deleteConversationItem',
      'Delete a conversation item',
    ),
  ],
};

const AUDIO: PassThroughFamily = {
  tag: 'audio',
  note: '',
  enabledBy: 'all',
  routes: [
    post('/v1/audio/translations', 'createTranslation', 'Translate speech into English text', {
      body: 'multipart',
      bodyBytesMax: LARGE_BODY_BYTES_MAX,
      model: 'defaulted',
      judgedAs: '/v1/audio/transcriptions',
      usage: 'media',
    }),
    post('/v1/audio/voices', 'createVoice', 'Create a custom voice', { ...STREAMED, usage: 'units' }),
    remove('/v1/audio/voices/{voice_id}', 'deleteVoice', 'Delete a custom voice'),
    get('/v1/audio/voice_consents', 'listVoiceConsents', 'List voice consents'),
    post('/v1/audio/voice_consents', 'createVoiceConsent', 'Upload a voice consent', UPLOAD),
    get('/v1/audio/voice_consents/{consent_id}', 'retrieveVoiceConsent', 'Retrieve a voice consent'),
    post('/v1/audio/voice_consents/{consent_id}', 'updateVoiceConsent', 'Update a voice consent'),
    remove('/v1/audio/voice_consents/{consent_id}', 'deleteVoiceConsent', 'Delete a voice consent'),
    post(
      '/v1/content_provenance_checks',
      'checkContentProvenance',
      'Check the origin of an image or audio file',
      UPLOAD,
    ),
  ],
};

const IMAGES: PassThroughFamily = {
  tag: 'images',
  note: '',
  enabledBy: 'all',
  routes: [
    post('/v1/images/variations', 'createImageVariation', 'Create variations of an image', {
      body: 'multipart',
      bodyBytesMax: LARGE_BODY_BYTES_MAX,
      model: 'defaulted',
      judgedAs: '/v1/images/edits',
      usage: 'media',
    }),
  ],
};

/** The provider uses its default model, or that of a video in the form. */
const UNNAMED_UPLOAD: More = { body: 'upload', model: 'unnamed', judgedAs: null, usage: 'units' };
const VIDEOS: PassThroughFamily = {
  tag: 'videos',
  note: `${SHARED} Videos cost no tokens. They are billed by the second.`,
  enabledBy: 'all',
  routes: [
    get('/v1/videos', 'listVideos', 'List videos'),
    post('/v1/videos', 'createVideo', 'Create a video', {
      usage: 'units',
      body: 'either',
      bodyBytesMax: LARGE_BODY_BYTES_MAX,
      model: 'defaulted',
      judgedAs: null,
    }),
    post('/v1/videos/edits', 'editVideo', 'Edit a video', UNNAMED_UPLOAD),
    post('/v1/videos/extensions', 'extendVideo', 'Extend a video', UNNAMED_UPLOAD),
    post('/v1/videos/characters', 'createVideoCharacter', 'Create a character from a video', UNNAMED_UPLOAD),
    get('/v1/videos/characters/{character_id}', 'retrieveVideoCharacter', 'Retrieve a character'),
    get('/v1/videos/{video_id}', 'retrieveVideo', 'Retrieve a video', { laterUsage: 'units' }),
    remove('/v1/videos/{video_id}', 'deleteVideo', 'Delete a video'),
    get('/v1/videos/{video_id}/content', 'downloadVideo', 'Download a video', FILE),
    post('/v1/videos/{video_id}/remix', 'remixVideo', 'Remix a video', {
      usage: 'units',
      body: 'either',
      bodyBytesMax: LARGE_BODY_BYTES_MAX,
      model: 'unnamed',
      judgedAs: null,
      runsModelsOf: '/v1/videos/{video_id}',
    }),
  ],
};

const REALTIME: PassThroughFamily = {
  tag: 'realtime',
  note: BYPASSES_GATEWAY,
  enabledBy: 'all',
  routes: [
    post('/v1/realtime/client_secrets', 'createClientSecret', 'Create a client secret for a session', SESSION),
    post(
      '/v1/realtime/translations/client_secrets',
      'createTranslationClientSecret',
      'Create a client secret for a translation session',
      SESSION,
    ),
    post('/v1/realtime/sessions', 'createRealtimeSession', 'Create a session and its client secret', {
      usage: 'units',
      body: 'json',
      model: 'defaulted',
      judgedAs: null,
    }),
    post(
      '/v1/realtime/transcription_sessions',
      'createTranscriptionSession',
      'Create a transcription session and its client secret',
      { ...SESSION, modelIn: 'input_audio_transcription', takes: undefined },
    ),
    post('/v1/realtime/calls/{call_id}/accept', 'acceptCall', 'Accept an incoming call', {
      usage: 'units',
      body: 'json',
      model: 'defaulted',
      judgedAs: null,
    }),
    post('/v1/realtime/calls/{call_id}/hangup', 'hangUpCall', 'End a call'),
    post('/v1/realtime/calls/{call_id}/refer', 'referCall', 'Transfer a call'),
    post('/v1/realtime/calls/{call_id}/reject', 'rejectCall', 'Reject an incoming call'),
    post('/v1/live/sessions', 'createLiveSession', 'Create a live session', SESSION),
    post('/v1/live/sessions/{session_id}/accept', 'acceptLiveSession', 'Accept an incoming live session', SESSION),
    get(
      '/v1/live/sessions/{session_id}/content',
      'downloadLiveSession',
      'Download the recording of a live session',
      FILE,
    ),
    post('/v1/live/sessions/{session_id}/fork', 'forkLiveSession', 'Fork a live session', {
      usage: 'units',
      body: 'json',
      // A fork inherits the model of the stored session, which cannot be read.
      model: 'unnamed',
      judgedAs: null,
      takes: bodies.SessionCreation,
    }),
    post('/v1/live/sessions/{session_id}/hangup', 'hangUpLiveSession', 'End a live session'),
    post('/v1/live/sessions/{session_id}/refer', 'referLiveSession', 'Transfer a live session'),
    post('/v1/live/sessions/{session_id}/reject', 'rejectLiveSession', 'Reject an incoming live session'),
  ],
};

const UPLOADS: PassThroughFamily = {
  tag: 'files',
  note: SHARED,
  enabledBy: 'all',
  routes: [
    post('/v1/uploads', 'createUpload', 'Start a multipart upload'),
    post('/v1/uploads/{upload_id}/parts', 'addUploadPart', 'Upload a part', UPLOAD),
    post('/v1/uploads/{upload_id}/complete', 'completeUpload', 'Complete an upload'),
    post('/v1/uploads/{upload_id}/cancel', 'cancelUpload', 'Cancel an upload'),
  ],
};

const BATCHES: PassThroughFamily = {
  tag: 'batches',
  note: `${SHARED} ${UNMETERED}`,
  enabledBy: 'batches',
  routes: [
    get('/v1/batches', 'listBatches', 'List batches', { gives: bodies.StoredObjectList }),
    post('/v1/batches', 'createBatch', 'Create a batch', {
      usage: 'units',
      ...NAMES_MODELS,
      batchFileIn: 'input_file_id',
      takes: bodies.BatchCreation,
      gives: bodies.StoredObject,
    }),
    get('/v1/batches/{batch_id}', 'retrieveBatch', 'Retrieve a batch', {
      gives: bodies.StoredObject,
      laterUsage: 'responses',
    }),
    post('/v1/batches/{batch_id}/cancel', 'cancelBatch', 'Cancel a batch', { gives: bodies.StoredObject }),
  ],
};

const CONTAINERS: PassThroughFamily = {
  tag: 'containers',
  note: SHARED,
  enabledBy: 'all',
  routes: [
    get('/v1/containers', 'listContainers', 'List containers'),
    post('/v1/containers', 'createContainer', 'Create a container', { usage: 'units' }),
    get('/v1/containers/{container_id}', 'retrieveContainer', 'Retrieve a container'),
    remove('/v1/containers/{container_id}', 'deleteContainer', 'Delete a container'),
    get('/v1/containers/{container_id}/files', 'listContainerFiles', 'List container files'),
    post('/v1/containers/{container_id}/files', 'createContainerFile', 'Add a file to a container', STREAMED),
    get('/v1/containers/{container_id}/files/{file_id}', 'retrieveContainerFile', 'Retrieve a container file'),
    remove('/v1/containers/{container_id}/files/{file_id}', 'deleteContainerFile', 'Delete a container file'),
    get(
      '/v1/containers/{container_id}/files/{file_id}/content',
      'downloadContainerFile',
      'Download a container file',
      FILE,
    ),
  ],
};

const SKILLS: PassThroughFamily = {
  tag: 'skills',
  note: SHARED,
  enabledBy: 'all',
  sharedPath: true,
  routes: [
    get('/v1/skills', 'listSkills', 'List skills'),
    post('/v1/skills', 'createSkill', 'Upload a skill', STREAMED),
    get('/v1/skills/{skill_id}', 'retrieveSkill', 'Retrieve a skill'),
    post('/v1/skills/{skill_id}', 'updateSkill', 'Set the default version of a skill'),
    remove('/v1/skills/{skill_id}', 'deleteSkill', 'Delete a skill'),
    get('/v1/skills/{skill_id}/content', 'downloadSkill', 'Download a skill', ARCHIVE),
    get('/v1/skills/{skill_id}/versions', 'listSkillVersions', 'List skill versions'),
    post('/v1/skills/{skill_id}/versions', 'createSkillVersion', 'Upload a skill version', STREAMED),
    get('/v1/skills/{skill_id}/versions/{version}', 'retrieveSkillVersion', 'Retrieve a skill version'),
    remove('/v1/skills/{skill_id}/versions/{version}', 'deleteSkillVersion', 'Delete a skill version'),
    get(
      '/v1/skills/{skill_id}/versions/{version}/content',
      'downloadSkillVersion',
      'Download a skill version',
      ARCHIVE,
    ),
  ],
};

const THREADS: PassThroughFamily = {
  tag: 'threads',
  note: SHARED,
  enabledBy: 'all',
  assistants: true,
  routes: [
    post('/v1/threads/runs', 'createThreadAndRun', 'Create a thread and run an assistant on it', {
      body: 'json',
      model: 'defaulted',
      usage: 'media',
      takes: bodies.RunCreation,
      gives: bodies.StoredObject,
      streams: true,
      defaultModelOf: '/v1/assistants/{assistant_id}',
    }),
    post('/v1/threads/{thread_id}', 'modifyThread', 'Update a thread', { gives: bodies.StoredObject }),
    post('/v1/threads/{thread_id}/messages/{message_id}', 'modifyThreadMessage', 'Update a thread message', {
      gives: bodies.StoredObject,
    }),
    remove('/v1/threads/{thread_id}/messages/{message_id}', 'deleteThreadMessage', 'Delete a thread message', {
      gives: bodies.Deletion,
    }),
    post('/v1/threads/{thread_id}/runs/{run_id}', 'modifyRun', 'Update a run', { gives: bodies.StoredObject }),
    post(
      '/v1/threads/{thread_id}/runs/{run_id}/submit_tool_outputs',
      'submitToolOutputs',
      'Submit tool outputs to a run',
      {
        laterUsage: 'media',
        gives: bodies.StoredObject,
        streams: true,
        model: 'unnamed',
        runsModelsOf: '/v1/threads/{thread_id}/runs/{run_id}',
      },
    ),
    get('/v1/threads/{thread_id}/runs/{run_id}/steps/{step_id}', 'retrieveRunStep', 'Retrieve a run step', {
      gives: bodies.StoredObject,
    }),
  ],
};

const STORE = '/v1/vector_stores/{vector_store_id}';
const VECTOR_STORES: PassThroughFamily = {
  tag: 'vector stores',
  note: SHARED,
  enabledBy: 'all',
  assistants: true,
  routes: [
    post(`${STORE}/search`, 'searchVectorStore', 'Search a vector store', { usage: 'units' }),
    post(`${STORE}/files/{file_id}`, 'modifyVectorStoreFile', 'Update a vector store file'),
    get(`${STORE}/files/{file_id}/content`, 'readVectorStoreFile', 'Read the text of a vector store file'),
    post(`${STORE}/file_batches`, 'createFileBatch', 'Attach several files to a vector store'),
    get(`${STORE}/file_batches/{batch_id}`, 'retrieveFileBatch', 'Retrieve a file batch'),
    post(`${STORE}/file_batches/{batch_id}/cancel`, 'cancelFileBatch', 'Cancel a file batch'),
    get(`${STORE}/file_batches/{batch_id}/files`, 'listFileBatchFiles', 'List the files of a file batch'),
  ],
};

const MODERATIONS: PassThroughFamily = {
  tag: 'moderations',
  note: 'This request costs no tokens.',
  enabledBy: 'all',
  routes: [
    post('/v1/moderations', 'createModeration', 'Classify text and images', {
      body: 'json',
      model: 'defaulted',
      judgedAs: null,
    }),
  ],
};

const EVALS: PassThroughFamily = {
  tag: 'evals',
  note: `${SHARED} ${UNMETERED}`,
  enabledBy: 'all',
  routes: [
    get('/v1/evals', 'listEvals', 'List evals'),
    post('/v1/evals', 'createEval', 'Create an eval', NAMES_MODELS),
    get('/v1/evals/{eval_id}', 'retrieveEval', 'Retrieve an eval'),
    post('/v1/evals/{eval_id}', 'updateEval', 'Update an eval', NAMES_MODELS),
    remove('/v1/evals/{eval_id}', 'deleteEval', 'Delete an eval'),
    get('/v1/evals/{eval_id}/runs', 'listEvalRuns', 'List eval runs'),
    post('/v1/evals/{eval_id}/runs', 'createEvalRun', 'Run an eval', {
      usage: 'units',
      ...NAMES_MODELS,
      model: 'defaulted',
      modelIn: 'data_source',
      // Its graders.
      runsModelsOf: '/v1/evals/{eval_id}',
    }),
    get('/v1/evals/{eval_id}/runs/{run_id}', 'retrieveEvalRun', 'Retrieve an eval run'),
    remove('/v1/evals/{eval_id}/runs/{run_id}', 'deleteEvalRun', 'Delete an eval run'),
    post('/v1/evals/{eval_id}/runs/{run_id}/cancel', 'cancelEvalRun', 'Cancel an eval run'),
    // Older SDKs cancel a run with this path.
    post('/v1/evals/{eval_id}/runs/{run_id}', 'cancelEvalRunByPath', 'Cancel an eval run, as older SDKs do'),
    get(
      '/v1/evals/{eval_id}/runs/{run_id}/output_items',
      'listEvalOutputItems',
      'List the output items of an eval run',
    ),
    get(
      '/v1/evals/{eval_id}/runs/{run_id}/output_items/{output_item_id}',
      'retrieveEvalOutputItem',
      'Retrieve an output item of an eval run',
    ),
  ],
};

const FINE_TUNING: PassThroughFamily = {
  tag: 'fine-tuning',
  note: `${SHARED} ${UNMETERED}`,
  enabledBy: 'fine_tuning',
  routes: [
    get('/v1/fine_tuning/jobs', 'listFineTuningJobs', 'List fine-tuning jobs', { gives: bodies.StoredObjectList }),
    post('/v1/fine_tuning/jobs', 'createFineTuningJob', 'Create a fine-tuning job', {
      usage: 'units',
      ...NAMES_MODELS,
      model: 'defaulted',
      gives: bodies.StoredObject,
    }),
    get('/v1/fine_tuning/jobs/{job_id}', 'retrieveFineTuningJob', 'Retrieve a fine-tuning job'),
    post('/v1/fine_tuning/jobs/{job_id}/cancel', 'cancelFineTuningJob', 'Cancel a fine-tuning job'),
    post('/v1/fine_tuning/jobs/{job_id}/pause', 'pauseFineTuningJob', 'Pause a fine-tuning job'),
    post('/v1/fine_tuning/jobs/{job_id}/resume', 'resumeFineTuningJob', 'Resume a fine-tuning job', {
      usage: 'units',
      model: 'unnamed',
      runsModelsOf: '/v1/fine_tuning/jobs/{job_id}',
    }),
    get('/v1/fine_tuning/jobs/{job_id}/events', 'listFineTuningEvents', 'List fine-tuning events'),
    get('/v1/fine_tuning/jobs/{job_id}/checkpoints', 'listFineTuningCheckpoints', 'List fine-tuning checkpoints'),
    post('/v1/fine_tuning/alpha/graders/run', 'runGrader', 'Run a grader', { ...NAMES_MODELS, usage: 'units' }),
    post('/v1/fine_tuning/alpha/graders/validate', 'validateGrader', 'Validate a grader', NAMES_MODELS),
  ],
};

export const ALL_ROUTES: readonly PassThroughFamily[] = [
  MESSAGES,
  MESSAGE_BATCHES,
  STORED_CHATS,
  RESPONSES,
  CONVERSATIONS,
  AUDIO,
  IMAGES,
  VIDEOS,
  REALTIME,
  UPLOADS,
  BATCHES,
  CONTAINERS,
  SKILLS,
  THREADS,
  VECTOR_STORES,
  MODERATIONS,
  EVALS,
  FINE_TUNING,
];
