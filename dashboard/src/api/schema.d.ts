// Made by `npm run docs:api`.
export interface paths {
  '/v1/chat/completions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ask a chat model */
    post: operations['createChatCompletion'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/completions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete a text
     * @description Base models are asked as they are; for every other model the completion is made of a chat completion.
     */
    post: operations['createCompletion'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/embeddings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Turn texts into vectors */
    post: operations['createEmbedding'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/models': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List models */
    get: operations['listModels'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ask a chat model in the messages format */
    post: operations['createMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages/{message_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a message again */
    get: operations['getMessage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/responses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ask one of OpenAI's own text models */
    post: operations['createResponse'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/responses/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a stored response */
    get: operations['getResponse'];
    put?: never;
    post?: never;
    /** Delete a stored response */
    delete: operations['deleteResponse'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audio/speech': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Turn text into speech */
    post: operations['createSpeech'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audio/transcriptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Turn speech into text */
    post: operations['createTranscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/images/generations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make images from a text */
    post: operations['createImage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/images/edits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Change images by a text */
    post: operations['createImageEdit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List files
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['listFiles'];
    put?: never;
    /**
     * Upload a file
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['uploadFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/files/{file_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a file up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['retrieveFile'];
    put?: never;
    post?: never;
    /**
     * Delete a file
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    delete: operations['deleteFile'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/files/{file_id}/content': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a file's content
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['downloadFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/assistants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List assistants
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['listAssistants'];
    put?: never;
    /**
     * Create an assistant
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['createAssistant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/assistants/{assistant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look an assistant up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['retrieveAssistant'];
    put?: never;
    /**
     * Change an assistant
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['modifyAssistant'];
    /**
     * Delete an assistant
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    delete: operations['deleteAssistant'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List threads
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['listThreads'];
    put?: never;
    /**
     * Create a thread
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    post: operations['createThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a thread up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['retrieveThread'];
    put?: never;
    post?: never;
    /**
     * Delete a thread
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    delete: operations['deleteThread'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a thread
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['listThreadMessages'];
    put?: never;
    /**
     * Add a message to a thread
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    post: operations['createThreadMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/messages/{message_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a message of a thread up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['retrieveThreadMessage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the runs of a thread
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['listRuns'];
    put?: never;
    /**
     * Run an assistant
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    post: operations['createRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/runs/{run_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a run up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['retrieveRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/runs/{run_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a run
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    post: operations['cancelRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{thread_id}/runs/{run_id}/steps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the steps of a run
     * @description Forwarded unchanged. All keys share one account and see each other’s objects. Tokens of runs are not recorded, except those of streamed runs with `GW_ROUTES=all`.
     */
    get: operations['listRunSteps'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/vector_stores': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List vector stores
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['listVectorStores'];
    put?: never;
    /**
     * Create a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['createVectorStore'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/vector_stores/{vector_store_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a vector store up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['retrieveVectorStore'];
    put?: never;
    /**
     * Change a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['modifyVectorStore'];
    /**
     * Delete a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    delete: operations['deleteVectorStore'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/vector_stores/{vector_store_id}/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the files of a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['listVectorStoreFiles'];
    put?: never;
    /**
     * Attach a file to a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    post: operations['createVectorStoreFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/vector_stores/{vector_store_id}/files/{file_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look a file of a vector store up
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    get: operations['retrieveVectorStoreFile'];
    put?: never;
    post?: never;
    /**
     * Detach a file from a vector store
     * @description Forwarded unchanged. All keys share one account and see each other’s objects.
     */
    delete: operations['deleteVectorStoreFile'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the limits of the key */
    get: operations['retrieveUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List keys */
    get: operations['apiKeysList'];
    put?: never;
    /** Create a key */
    post: operations['apiKeysCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a key */
    get: operations['apiKeysGet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change a key */
    patch: operations['apiKeysUpdate'];
    trace?: never;
  };
  '/admin/api-keys/{id}/suspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Suspend a key */
    post: operations['apiKeysSuspend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/unsuspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Unsuspend a key */
    post: operations['apiKeysUnsuspend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Give a key a new secret */
    post: operations['apiKeysRotate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a key for good */
    post: operations['apiKeysRevoke'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/bulk-suspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Suspend keys */
    post: operations['bulkKeysSuspend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/bulk-unsuspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Unsuspend keys */
    post: operations['bulkKeysUnsuspend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/bulk-revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke keys for good */
    post: operations['bulkKeysRevoke'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/quota': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read what a key has used */
    get: operations['keyQuotaRead'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/reset-quota': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Count the requests of a key from nothing */
    post: operations['keyQuotaReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/model-allowlist': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List models with their policy */
    get: operations['modelAllowlistList'];
    put?: never;
    /** Allow or block a model */
    post: operations['modelAllowlistSet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/cache/purge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read models, keys and policy anew in every process */
    post: operations['cachePurge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/endpoint-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Rank endpoints */
    get: operations['endpointStatsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/key-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Rank keys */
    get: operations['keyStatsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/model-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Rank models */
    get: operations['modelStatsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/request-logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List sampled requests, or find one by its id */
    get: operations['requestLogsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read requests and tokens of some days */
    get: operations['usageRead'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the usage of a key */
    get: operations['keyUsageHistoryRead'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/audit-logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes */
    get: operations['auditLogsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/api-keys/{id}/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a key */
    get: operations['keyAuditList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/operators': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List operators */
    get: operations['operatorsList'];
    put?: never;
    /** Create an operator */
    post: operations['operatorsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/operators/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Delete an operator */
    delete: operations['operatorsRemove'];
    options?: never;
    head?: never;
    /** Change an operator */
    patch: operations['operatorsUpdate'];
    trace?: never;
  };
  '/admin/operators/{id}/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Set an operator's password and end all sessions of theirs */
    post: operations['operatorsSetPassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List sessions */
    get: operations['sessionsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** End a session */
    delete: operations['sessionsEnd'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List runs of jobs, the newest first */
    get: operations['jobsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/jobs/daily/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Run the daily job now */
    post: operations['jobsRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/notifications': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List notifications */
    get: operations['notificationsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/notifications/read-all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Mark all as read */
    post: operations['notificationsReadAll'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/notifications/{id}/read': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Mark one as read */
    post: operations['notificationsRead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List webhooks */
    get: operations['webhooksList'];
    put?: never;
    /** Create a webhook */
    post: operations['webhooksCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a webhook */
    get: operations['webhooksGet'];
    put?: never;
    post?: never;
    /** Delete a webhook */
    delete: operations['webhooksRemove'];
    options?: never;
    head?: never;
    /** Change a webhook */
    patch: operations['webhooksUpdate'];
    trace?: never;
  };
  '/admin/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send a test event to it */
    post: operations['webhooksTest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/webhooks/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List what was sent to it */
    get: operations['webhooksListDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/webhooks/{id}/deliveries/{delivery_id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send a delivery again */
    post: operations['webhooksRetry'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/dashboard/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read who is signed in */
    get: operations['dashboardSessionRead'];
    put?: never;
    /** Sign in */
    post: operations['dashboardSessionSignIn'];
    /** Sign out */
    delete: operations['dashboardSessionSignOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/dashboard/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Change one's own password */
    post: operations['dashboardPasswordChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell that the gateway serves */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Tell that the gateway serves, without a body */
    head: operations['headHealth'];
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell that the process answers */
    get: operations['getLiveness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Tell that the process answers, without a body */
    head: operations['headLiveness'];
    patch?: never;
    trace?: never;
  };
  '/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell whether to send requests here */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Tell whether to send requests here, without a body */
    head: operations['headReadiness'];
    patch?: never;
    trace?: never;
  };
  '/v1/models/{model}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Look a model up */
    get: operations['retrieveModel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/model-allowlist/{model}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the policy of a model */
    get: operations['modelAllowlistGet'];
    put?: never;
    post?: never;
    /** Take the policy away */
    delete: operations['modelAllowlistRemove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/models/{model}/probe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Probe a model */
    post: operations['adminModelsProbe'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ChatMessage: {
      /** @example assistant */
      role: string;
      content: string | null;
    };
    ChatChoice: {
      index: number;
      message: components['schemas']['ChatMessage'];
      /** @example stop */
      finish_reason: string | null;
    };
    ChatUsage: {
      prompt_tokens: number;
      completion_tokens: number;
      total_tokens: number;
    };
    ChatCompletion: {
      /** @example chatcmpl-9x2k */
      id: string;
      /** @enum {string} */
      object: 'chat.completion';
      /** @description Seconds since 1970. */
      created: number;
      model: string;
      choices: components['schemas']['ChatChoice'][];
      usage: components['schemas']['ChatUsage'];
    };
    ChatDelta: {
      role?: string;
      content?: string | null;
    };
    ChatChunkChoice: {
      index: number;
      delta: components['schemas']['ChatDelta'];
      finish_reason: string | null;
    };
    ChatCompletionChunk: {
      /** @example chatcmpl-9x2k */
      id: string;
      /** @enum {string} */
      object: 'chat.completion.chunk';
      /** @description Seconds since 1970. */
      created: number;
      model: string;
      choices: components['schemas']['ChatChunkChoice'][];
      /** @description In the last chunk, where it was asked for. */
      usage?: components['schemas']['ChatUsage'] | null;
    };
    ChatCompletionRequest: {
      /**
       * @description Id of a chat model.
       * @example gpt-4o-mini
       */
      model: string;
      /**
       * @example [
       *       {
       *         "role": "user",
       *         "content": "Say hello."
       *       }
       *     ]
       */
      messages: ({
        /** @enum {string} */
        role: 'system' | 'user' | 'assistant' | 'tool' | 'function' | 'developer';
      } & {
        [key: string]: unknown;
      })[];
      /** @description Answers as server-sent events. */
      stream?: boolean | null;
      stream_options?: {
        include_usage?: boolean | null;
      } | null;
      temperature?: number | null;
      top_p?: number | null;
      max_tokens?: number | null;
      max_completion_tokens?: number | null;
      n?: number | null;
      stop?: string | string[] | null;
      presence_penalty?: number | null;
      frequency_penalty?: number | null;
      /** @description By token id. */
      logit_bias?: {
        [key: string]: number;
      } | null;
      logprobs?: boolean | null;
      top_logprobs?: number | null;
      parallel_tool_calls?: boolean | null;
      user?: string | null;
      seed?: number | null;
      store?: boolean | null;
      /** @enum {string|null} */
      service_tier?: 'auto' | 'default' | 'flex' | 'scale' | null;
      /** @enum {string|null} */
      reasoning_effort?: 'low' | 'medium' | 'high' | 'auto' | null;
      /** @description 0 switches extended thinking off. */
      max_reasoning_tokens?: number | null;
      thinking?:
        | {
            /** @enum {string} */
            type: 'enabled';
            budget_tokens: number;
          }
        | ({
            /** @enum {string} */
            type: 'disabled';
          } & {
            [key: string]: unknown;
          })
        | null;
      modalities?: ('text' | 'audio')[] | null;
      /** @description Required when 'modalities' includes 'audio'. */
      audio?: {
        /** @enum {string} */
        voice:
          | 'alloy'
          | 'ash'
          | 'ballad'
          | 'cedar'
          | 'coral'
          | 'echo'
          | 'fable'
          | 'marin'
          | 'nova'
          | 'onyx'
          | 'sage'
          | 'shimmer'
          | 'verse';
        /** @enum {string|null} */
        format?: 'aac' | 'flac' | 'mp3' | 'opus' | 'pcm16' | 'pcm24' | 'wav' | null;
      } | null;
      top_k?: number | null;
      min_p?: number | null;
      top_a?: number | null;
      repetition_penalty?: number | null;
      thinking_config?: {
        thinking_budget?: number | null;
      } | null;
      transforms?: string[] | null;
      /** @description Routing hints, forwarded. */
      provider?: {
        [key: string]: unknown;
      } | null;
      prediction?: {
        /** @enum {string} */
        type: 'content';
        content:
          | string
          | {
              /** @enum {string} */
              type: 'text';
              text: string;
            }[];
      } | null;
      /**
       * @deprecated
       * @description Use 'tools'.
       */
      functions?:
        | {
            name: string;
          }[]
        | null;
      /**
       * @deprecated
       * @description Use 'tool_choice'.
       */
      function_call?:
        | ('none' | 'auto')
        | {
            name: string;
          }
        | null;
      web_search_options?: {
        [key: string]: unknown;
      } | null;
      tools?:
        | {
            /** @enum {string} */
            type: 'function';
            function: {
              name: string;
              description?: string | null;
              parameters?: {
                [key: string]: unknown;
              } | null;
              strict?: boolean | null;
            };
          }[]
        | null;
      tool_choice?:
        | ('none' | 'auto' | 'required')
        | {
            /** @enum {string} */
            type: 'function';
            function: {
              name: string;
            };
          }
        | null;
      response_format?:
        | ({
            /** @enum {string} */
            type: 'text';
          } & {
            [key: string]: unknown;
          })
        | ({
            /** @enum {string} */
            type: 'json_object';
          } & {
            [key: string]: unknown;
          })
        | {
            /** @enum {string} */
            type: 'json_schema';
            json_schema: {
              name: string;
              strict?: boolean | null;
              schema?: {
                [key: string]: unknown;
              } | null;
            };
          }
        | null;
    };
    CompletionChoice: {
      text: string;
      index: number;
      logprobs: null;
      /** @example stop */
      finish_reason: string | null;
    };
    Completion: {
      /** @example cmpl-9x2k */
      id: string;
      /** @enum {string} */
      object: 'text_completion';
      /** @description Seconds since 1970. */
      created: number;
      model: string;
      choices: components['schemas']['CompletionChoice'][];
      /** @description In a stream in the last chunk, where it was asked for. */
      usage?: components['schemas']['ChatUsage'] | null;
    };
    CompletionRequest: {
      /**
       * @description Id of a chat model or of a base model.
       * @example gpt-4o-mini
       */
      model: string;
      /**
       * @description The entries of an array are joined by an empty line.
       * @example Once upon a time
       */
      prompt?: string | string[] | null;
      max_tokens?: number | null;
      temperature?: number | null;
      top_p?: number | null;
      n?: number | null;
      /** @description Puts the prompt before the text of each choice. */
      echo?: boolean | null;
      stop?: string | string[] | null;
      presence_penalty?: number | null;
      frequency_penalty?: number | null;
      user?: string | null;
      seed?: number | null;
      /** @description Answers as server-sent events. */
      stream?: boolean | null;
      stream_options?: {
        include_usage?: boolean | null;
      } | null;
      /**
       * @deprecated
       * @description Not supported: refused when it is set.
       */
      best_of?: null;
      /**
       * @deprecated
       * @description Not supported: refused when it is set.
       */
      logprobs?: null;
    };
    Embedding: {
      /** @enum {string} */
      object: 'embedding';
      index: number;
      embedding: number[] | string;
    };
    EmbeddingUsage: {
      prompt_tokens: number;
      total_tokens: number;
    };
    EmbeddingList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Embedding'][];
      model: string;
      usage: components['schemas']['EmbeddingUsage'];
    };
    EmbeddingRequest: {
      /**
       * @description Id of an embedding model.
       * @example text-embedding-3-small
       */
      model: string;
      /**
       * @description One text, or a list of them.
       * @example [
       *       "first text",
       *       "second text"
       *     ]
       */
      input: string | string[];
      /**
       * @default float
       * @enum {string|null}
       */
      encoding_format: 'float' | 'base64' | null;
      /** @description Honoured by OpenAI's third-generation models. */
      dimensions?: number | null;
      /**
       * @description Required by Cohere's v3 models, ignored by others.
       * @enum {string|null}
       */
      input_type?: 'search_query' | 'search_document' | 'classification' | 'clustering' | null;
      /**
       * @description Honoured by Cohere only.
       * @default END
       * @enum {string|null}
       */
      truncate: 'NONE' | 'START' | 'END' | null;
      user?: string | null;
    };
    ModelEntryAnswer: {
      /** @example gpt-4o-mini */
      id: string;
      /** @enum {string} */
      object: 'model';
      /** @description Unix seconds. */
      created: number;
      /** @example openai */
      owned_by: string;
      /** @description Whether the gateway routes the model now. */
      gw_available: boolean;
      /** @enum {string} */
      gw_availability: 'callable' | 'listed_unavailable' | 'registry_broken' | 'unclassified';
      /** @enum {string} */
      gw_category?: 'chat' | 'embedding' | 'image' | 'tts' | 'transcription' | 'ocr';
      /** @description Paths that the model can be called at. */
      gw_endpoints?: (
        | '/v1/chat/completions'
        | '/v1/completions'
        | '/v1/responses'
        | '/v1/messages'
        | '/v1/embeddings'
        | '/v1/images/generations'
        | '/v1/images/edits'
        | '/v1/audio/speech'
        | '/v1/audio/transcriptions'
      )[];
      /** @description Who made the model. Left out for custom models. */
      gw_provider?: string;
      gw_reasoning: boolean;
      gw_vision: boolean;
      gw_web_search: boolean;
      gw_audio_input: boolean;
      gw_tool_use: boolean;
      gw_json_mode: boolean;
      gw_thinking: boolean;
      gw_computer_use: boolean;
    };
    ModelListAnswer: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['ModelEntryAnswer'][];
    };
    MessageBlock: {
      /** @example text */
      type: string;
      /** @example Hello. */
      text?: string;
    };
    MessageUsage: {
      input_tokens: number;
      output_tokens: number;
    };
    Message: {
      /** @example msg_01XFDUDYJgAACzvnptvVoYEL */
      id: string;
      /** @enum {string} */
      type: 'message';
      /** @enum {string} */
      role: 'assistant';
      content: components['schemas']['MessageBlock'][];
      model: string;
      /** @example end_turn */
      stop_reason: string | null;
      stop_sequence: string | null;
      usage: components['schemas']['MessageUsage'];
    };
    MessageStreamEvent: {
      /** @enum {string} */
      type:
        | 'message_start'
        | 'content_block_start'
        | 'content_block_delta'
        | 'content_block_stop'
        | 'message_delta'
        | 'message_stop'
        | 'ping'
        | 'error';
      /** @description With `message_start`: the message as it begins, `input_tokens` known. */
      message?: components['schemas']['Message'];
      /** @description With `content_block_*`: which block. */
      index?: number;
      /** @description With `content_block_start`. */
      content_block?: components['schemas']['MessageBlock'];
      /** @description With `content_block_delta` a piece of the block, with `message_delta` the `stop_reason`. */
      delta?: {
        [key: string]: unknown;
      };
      /** @description With `message_delta`: `output_tokens` so far. */
      usage?: components['schemas']['MessageUsage'];
    };
    MessageRequest: {
      /**
       * @description Id of a chat model.
       * @example claude-3-5-sonnet-20241022
       */
      model: string;
      /** @example 256 */
      max_tokens: number;
      /**
       * @example [
       *       {
       *         "role": "user",
       *         "content": "Say hello."
       *       }
       *     ]
       */
      messages: ({
        /** @enum {string} */
        role: 'user' | 'assistant';
        content:
          | string
          | (
              | {
                  /** @enum {string} */
                  type: 'text';
                  text: string;
                }
              | {
                  /** @enum {string} */
                  type: 'image';
                  source:
                    | {
                        /** @enum {string} */
                        type: 'base64';
                        /** @enum {string} */
                        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
                        data: string;
                      }
                    | {
                        /** @enum {string} */
                        type: 'url';
                        url: string;
                      };
                }
              | {
                  /** @enum {string} */
                  type: 'tool_use';
                  id: string;
                  name: string;
                  input: {
                    [key: string]: unknown;
                  };
                }
              | {
                  /** @enum {string} */
                  type: 'tool_result';
                  tool_use_id: string;
                  content?: string | unknown[] | null;
                }
              | {
                  /** @enum {string} */
                  type: 'document';
                  source:
                    | {
                        /** @enum {string} */
                        type: 'base64';
                        data: string;
                      }
                    | {
                        /** @enum {string} */
                        type: 'url';
                        url: string;
                      }
                    | {
                        /** @enum {string} */
                        type: 'text';
                        data: string;
                      };
                }
              | ({
                  type: string;
                } & {
                  [key: string]: unknown;
                })
            )[];
      } & {
        [key: string]: unknown;
      })[];
      /** @description What the model is told before the conversation. */
      system?:
        | string
        | (
            | {
                /** @enum {string} */
                type: 'text';
                text: string;
              }
            | {
                /** @enum {string} */
                type: 'image';
                source:
                  | {
                      /** @enum {string} */
                      type: 'base64';
                      /** @enum {string} */
                      media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
                      data: string;
                    }
                  | {
                      /** @enum {string} */
                      type: 'url';
                      url: string;
                    };
              }
            | {
                /** @enum {string} */
                type: 'tool_use';
                id: string;
                name: string;
                input: {
                  [key: string]: unknown;
                };
              }
            | {
                /** @enum {string} */
                type: 'tool_result';
                tool_use_id: string;
                content?: string | unknown[] | null;
              }
            | {
                /** @enum {string} */
                type: 'document';
                source:
                  | {
                      /** @enum {string} */
                      type: 'base64';
                      data: string;
                    }
                  | {
                      /** @enum {string} */
                      type: 'url';
                      url: string;
                    }
                  | {
                      /** @enum {string} */
                      type: 'text';
                      data: string;
                    };
              }
            | ({
                type: string;
              } & {
                [key: string]: unknown;
              })
          )[]
        | null;
      temperature?: number | null;
      top_p?: number | null;
      top_k?: number | null;
      /** @description Answers as server-sent events. */
      stream?: boolean | null;
      stop_sequences?: string[] | null;
      tools?:
        | (
            | {
                /** @enum {string|null} */
                type?: 'custom' | null;
                name: string;
                description?: string | null;
                input_schema: {
                  [key: string]: unknown;
                };
              }
            | {
                type: string;
                name: string;
                description?: string | null;
              }
          )[]
        | null;
      tool_choice?:
        | ({
            /** @enum {string} */
            type: 'auto';
          } & {
            [key: string]: unknown;
          })
        | ({
            /** @enum {string} */
            type: 'any';
          } & {
            [key: string]: unknown;
          })
        | {
            /** @enum {string} */
            type: 'tool';
            name: string;
          }
        | null;
      thinking?:
        | {
            /** @enum {string} */
            type: 'enabled';
            budget_tokens: number;
          }
        | ({
            /** @enum {string} */
            type: 'disabled';
          } & {
            [key: string]: unknown;
          })
        | null;
      /** @description Beta features, sent upstream as the header `anthropic-beta` and not in the body. */
      betas?: string[] | null;
      metadata?: {
        user_id?: string | null;
      } | null;
    };
    ResponseContent: {
      /** @example output_text */
      type: string;
      text?: string;
    };
    ResponseOutputItem: {
      /** @example message */
      type: string;
      /** @example assistant */
      role?: string;
      content?: components['schemas']['ResponseContent'][];
    };
    ResponseUsage: {
      input_tokens: number;
      output_tokens: number;
      total_tokens: number;
    };
    ModelResponse: {
      /** @example resp_67ccd2bed1ec8190b14f964abc054267 */
      id: string;
      /** @enum {string} */
      object: 'response';
      /** @description Seconds since 1970. */
      created_at: number;
      model: string;
      output: components['schemas']['ResponseOutputItem'][];
      usage?: components['schemas']['ResponseUsage'] | null;
    };
    ResponseStreamEvent: {
      /**
       * @example response.created
       * @example response.in_progress
       * @example response.output_text.delta
       * @example response.completed
       */
      type: string;
      sequence_number?: number;
      /** @description With `response.created` to `response.completed`. */
      response?: components['schemas']['ModelResponse'];
      /** @description With `response.output_text.delta`. */
      delta?: string;
    };
    ResponseRequest: {
      /**
       * @description Id of one of OpenAI's own text models.
       * @example gpt-4o-mini
       */
      model: string;
      /** @example Say hello. */
      input: string | unknown[];
      instructions?: string | null;
      /** @description Id of a stored response that this one goes on from. */
      previous_response_id?: string | null;
      user?: string | null;
      max_output_tokens?: number | null;
      temperature?: number | null;
      top_p?: number | null;
      /** @description Answers as server-sent events. */
      stream?: boolean | null;
      store?: boolean | null;
      parallel_tool_calls?: boolean | null;
      /** @enum {string|null} */
      truncation?: 'auto' | 'disabled' | null;
      metadata?: {
        [key: string]: string;
      } | null;
      reasoning?: {
        /** @enum {string|null} */
        effort?: 'low' | 'medium' | 'high' | null;
        summary?: string | null;
      } | null;
      response_format?:
        | ({
            /** @enum {string} */
            type: 'text';
          } & {
            [key: string]: unknown;
          })
        | ({
            /** @enum {string} */
            type: 'json_object';
          } & {
            [key: string]: unknown;
          })
        | {
            /** @enum {string} */
            type: 'json_schema';
            json_schema: {
              name: string;
              strict?: boolean | null;
              schema?: {
                [key: string]: unknown;
              } | null;
            };
          }
        | null;
      /** @description Functions, flat or nested. Other types are refused unless the operator has opened the list. */
      tools?:
        | (
            | {
                /** @enum {string} */
                type: 'function';
                name: string;
                function?: null;
              }
            | {
                /** @enum {string} */
                type: 'function';
                function: {
                  name: string;
                };
              }
          )[]
        | null;
      tool_choice?:
        | ('none' | 'auto' | 'required')
        | (
            | {
                /** @enum {string} */
                type: 'function';
                name: string;
                function?: null;
              }
            | {
                /** @enum {string} */
                type: 'function';
                function: {
                  name: string;
                };
              }
          )
        | null;
    };
    DeletedResponse: {
      id: string;
      /** @example response */
      object: string;
      deleted: boolean;
    };
    SpeechRequest: {
      /**
       * @description Id of a text-to-speech model.
       * @example gpt-4o-mini-tts
       */
      model: string;
      /**
       * @description The text to speak.
       * @example Hello.
       */
      input: string;
      /**
       * @description Name of a voice, or the id of a custom one.
       * @example alloy
       */
      voice:
        | string
        | {
            id: string;
          };
      /** @description How to speak; not for tts-1 and tts-1-hd. */
      instructions?: string | null;
      /**
       * @default mp3
       * @enum {string|null}
       */
      response_format: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm' | null;
      /** @default 1 */
      speed: number | null;
      /**
       * @description `sse` is not for tts-1 and tts-1-hd.
       * @enum {string|null}
       */
      stream_format?: 'audio' | 'sse' | null;
    };
    TranscriptionRequest: {
      /**
       * Format: binary
       * @description The audio, 25 MB at most: mp3, mp4, mpeg, mpga, m4a, wav, webm …
       */
      file: string;
      /**
       * @description Id of a transcription model.
       * @example whisper-1
       */
      model: string;
      /** @example en */
      language?: string;
      /** @description Text that leads the style, or what was said before. */
      prompt?: string;
      /**
       * @default json
       * @enum {string}
       */
      response_format: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt';
      temperature?: number;
      'timestamp_granularities[]'?: ('word' | 'segment')[];
    };
    ImageData: {
      url?: string;
      b64_json?: string;
    };
    ImagesResult: {
      /** @description Seconds since 1970. */
      created: number;
      data: components['schemas']['ImageData'][];
    };
    ImageGenerationRequest: {
      /**
       * @description Id of an image model.
       * @example gpt-image-1
       */
      model: string;
      /**
       * @description What the image shows.
       * @example A lighthouse at dawn
       */
      prompt: string;
      /** @description Number of images; dall-e-3 makes one. */
      n?: number | null;
      /**
       * @description Depends on the model.
       * @example 1024x1024
       */
      size?: string | null;
      /** @enum {string|null} */
      quality?: 'standard' | 'hd' | 'low' | 'medium' | 'high' | 'auto' | null;
      /** @enum {string|null} */
      response_format?: 'url' | 'b64_json' | null;
      /** @enum {string|null} */
      output_format?: 'png' | 'jpeg' | 'webp' | null;
      output_compression?: number | null;
      /** @description Answers as server-sent events. */
      stream?: boolean | null;
      partial_images?: number | null;
      /** @enum {string|null} */
      moderation?: 'low' | 'auto' | null;
      /** @enum {string|null} */
      background?: 'transparent' | 'opaque' | 'auto' | null;
      /** @enum {string|null} */
      style?: 'vivid' | 'natural' | null;
      user?: string | null;
    };
    ImageEditRequest:
      | {
          /**
           * Format: binary
           * @description The image to edit. Required unless `image[]` is given.
           */
          image?: string;
          /** @description Images to edit, instead of `image` or in addition to it; the name repeated. */
          'image[]'?: string[];
          /**
           * @description The change to make.
           * @example Make the sky red
           */
          prompt: string;
          /**
           * Format: binary
           * @description Where to change it.
           */
          mask?: string;
          /** @description Id of an image model. A key with a list of models has to name one. */
          model?: string;
          /** @description Number of images; dall-e-3 makes one. */
          n?: number;
          /**
           * @description Depends on the model.
           * @example 1024x1024
           */
          size?: string;
          /** @enum {string} */
          response_format?: 'url' | 'b64_json';
          /** @enum {string} */
          output_format?: 'png' | 'jpeg' | 'webp';
          output_compression?: number;
          /** @enum {string} */
          background?: 'transparent' | 'opaque' | 'auto';
          /** @enum {string} */
          input_fidelity?: 'high' | 'low';
          /** @description Answers as server-sent events. */
          stream?: boolean;
          partial_images?: number;
          /** @enum {string} */
          quality?: 'standard' | 'low' | 'medium' | 'high' | 'auto';
          user?: string;
        }
      | unknown
      | unknown;
    FileObject: {
      /** @example file-abc123 */
      id: string;
      /** @enum {string} */
      object: 'file';
      bytes: number;
      /** @description Seconds since 1970. */
      created_at: number;
      /** @example notes.jsonl */
      filename: string;
      /** @example assistants */
      purpose: string;
    };
    FileList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['FileObject'][];
    };
    FileUpload: {
      /**
       * Format: binary
       * @description The provider decides which fields it needs.
       */
      file?: string;
      /** @example assistants */
      purpose?: string;
    };
    Deletion: {
      id: string;
      /** @example file */
      object: string;
      deleted: boolean;
    };
    Assistant: {
      /** @example asst_abc123 */
      id: string;
      /** @enum {string} */
      object: 'assistant';
      /** @description Seconds since 1970. */
      created_at: number;
      name: string | null;
      /** @example gpt-4o */
      model: string;
      instructions: string | null;
      tools: {
        [key: string]: unknown;
      }[];
      file_ids?: string[];
    };
    AssistantList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Assistant'][];
    };
    AssistantChange: {
      /** @description Goes through the model gate. */
      model?: string | null;
      name?: string | null;
      instructions?: string | null;
      tools?:
        | {
            [key: string]: unknown;
          }[]
        | null;
      tool_resources?: {
        [key: string]: unknown;
      } | null;
    };
    StoredObject: {
      id: string;
      /** @example thread */
      object: string;
      /** @description Seconds since 1970. */
      created_at?: number;
    };
    StoredObjectList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['StoredObject'][];
    };
    ThreadCreation: {
      messages?:
        | {
            [key: string]: unknown;
          }[]
        | null;
    };
    ThreadMessageCreation: {
      /** @example user */
      role?: string | null;
      content?:
        | string
        | {
            [key: string]: unknown;
          }[]
        | null;
    };
    RunCreation: {
      /** @description Goes through the model gate. */
      model?: string | null;
      /** @example asst_abc123 */
      assistant_id?: string | null;
    };
    FileCounts: {
      in_progress: number;
      completed: number;
      failed: number;
      cancelled: number;
      total: number;
    };
    VectorStore: {
      /** @example vs_abc123 */
      id: string;
      /** @enum {string} */
      object: 'vector_store';
      /** @description Seconds since 1970. */
      created_at: number;
      name: string | null;
      /** @example completed */
      status: string;
      file_counts: components['schemas']['FileCounts'];
    };
    VectorStoreList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['VectorStore'][];
    };
    VectorStoreChange: {
      name?: string | null;
    };
    VectorStoreFileCreation: {
      /**
       * @description An uploaded file.
       * @example file-abc123
       */
      file_id?: string | null;
    };
    WindowUsage: {
      limit: number;
      used: number;
      /** @description Never below 0. */
      remaining: number;
      /** Format: date-time */
      resets_at: string;
    };
    MonthUsage: {
      /** @description null: unlimited. */
      limit: number | null;
      /** @description null for tokens where the key has no monthly token limit. */
      used: number | null;
      /** @description null: unlimited. */
      remaining: number | null;
      /**
       * Format: date-time
       * @description First second (UTC) of the next month.
       */
      resets_at: string;
    };
    ThisMonthUsage: {
      requests: components['schemas']['MonthUsage'];
      tokens: components['schemas']['MonthUsage'];
    };
    UsageSnapshot: {
      /** @enum {string} */
      object: 'usage';
      /** Format: uuid */
      key_id: string;
      key_name: string;
      /** @enum {string} */
      status: 'active' | 'suspended' | 'revoked';
      /** Format: date-time */
      expires_at: string | null;
      is_expired: boolean;
      /** Format: date-time */
      last_used_at: string | null;
      /** @description null: no restriction. */
      allowed_models: string[] | null;
      this_minute: components['schemas']['WindowUsage'];
      today: components['schemas']['WindowUsage'];
      this_month: components['schemas']['ThisMonthUsage'];
    };
    CreateApiKeyRequest: {
      /**
       * @description Requests a minute.
       * @default 60
       */
      rpm_limit: number;
      /**
       * @description Requests a day (UTC).
       * @default 10000
       */
      rpd_limit: number;
      /**
       * @description Requests a month (UTC); null: unlimited.
       * @example 200000
       */
      monthly_limit?: number | null;
      /**
       * @description Tokens a month; null: unlimited.
       * @example 5000000
       */
      monthly_token_limit?: number | null;
      /**
       * @description Exact model ids; null or empty: no restriction.
       * @example [
       *       "gpt-4o-mini"
       *     ]
       */
      allowed_models?: string[] | null;
      /**
       * Format: date-time
       * @description When the key expires; null: never. May lie in the past.
       * @example 2027-01-01T00:00:00Z
       */
      expires_at?: string | null;
      /** @example Checkout service */
      name: string;
    };
    CreatedApiKeyResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      id: string;
      /** @example Checkout service */
      name: string;
      /**
       * @description `sk-gw-…` and the last four characters of the raw key.
       * @example sk-gw-…x7Qa
       */
      key_hint: string;
      /**
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      /** @example 60 */
      rpm_limit: number;
      /** @example 10000 */
      rpd_limit: number;
      /**
       * @description null: unlimited.
       * @example 200000
       */
      monthly_limit: number | null;
      /**
       * @description null: unlimited.
       * @example 5000000
       */
      monthly_token_limit: number | null;
      /**
       * @description null: no restriction.
       * @example [
       *       "gpt-4o-mini"
       *     ]
       */
      allowed_models: string[] | null;
      /**
       * Format: date-time
       * @description null: never.
       * @example 2027-01-01T00:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description Whether `expires_at` has passed; the status does not change by it.
       * @example false
       */
      is_expired: boolean;
      /**
       * Format: date-time
       * @example 2026-07-14T09:30:42.118Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-07-20T16:05:00.007Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description null unless revoked.
       * @example null
       */
      revoked_at: string | null;
      /**
       * Format: date-time
       * @description Of the last accepted request; written hourly at most.
       * @example 2026-07-20T15:58:11.530Z
       */
      last_used_at: string | null;
      /**
       * @description The raw key: shown here and never again.
       * @example sk-gw-EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE
       */
      key: string;
    };
    ApiKeyResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      id: string;
      /** @example Checkout service */
      name: string;
      /**
       * @description `sk-gw-…` and the last four characters of the raw key.
       * @example sk-gw-…x7Qa
       */
      key_hint: string;
      /**
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      /** @example 60 */
      rpm_limit: number;
      /** @example 10000 */
      rpd_limit: number;
      /**
       * @description null: unlimited.
       * @example 200000
       */
      monthly_limit: number | null;
      /**
       * @description null: unlimited.
       * @example 5000000
       */
      monthly_token_limit: number | null;
      /**
       * @description null: no restriction.
       * @example [
       *       "gpt-4o-mini"
       *     ]
       */
      allowed_models: string[] | null;
      /**
       * Format: date-time
       * @description null: never.
       * @example 2027-01-01T00:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description Whether `expires_at` has passed; the status does not change by it.
       * @example false
       */
      is_expired: boolean;
      /**
       * Format: date-time
       * @example 2026-07-14T09:30:42.118Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-07-20T16:05:00.007Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description null unless revoked.
       * @example null
       */
      revoked_at: string | null;
      /**
       * Format: date-time
       * @description Of the last accepted request; written hourly at most.
       * @example 2026-07-20T15:58:11.530Z
       */
      last_used_at: string | null;
    };
    ApiKeyListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      keys: components['schemas']['ApiKeyResponse'][];
    };
    UpdateApiKeyRequest: {
      /**
       * @description Requests a minute.
       * @default 60
       */
      rpm_limit: number;
      /**
       * @description Requests a day (UTC).
       * @default 10000
       */
      rpd_limit: number;
      /**
       * @description Requests a month (UTC); null: unlimited.
       * @example 200000
       */
      monthly_limit?: number | null;
      /**
       * @description Tokens a month; null: unlimited.
       * @example 5000000
       */
      monthly_token_limit?: number | null;
      /**
       * @description Exact model ids; null or empty: no restriction.
       * @example [
       *       "gpt-4o-mini"
       *     ]
       */
      allowed_models?: string[] | null;
      /**
       * Format: date-time
       * @description When the key expires; null: never. May lie in the past.
       * @example 2027-01-01T00:00:00Z
       */
      expires_at?: string | null;
      /** @example Checkout service */
      name?: string;
    };
    ApiKeyStatusResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      id: string;
      /**
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      /**
       * Format: date-time
       * @example 2026-07-20T16:05:00.007Z
       */
      updated_at: string;
    };
    RotatedApiKeyResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      id: string;
      /**
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      /**
       * Format: date-time
       * @example 2026-07-20T16:05:00.007Z
       */
      updated_at: string;
      /**
       * @description The raw key: shown here and never again.
       * @example sk-gw-EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE
       */
      key: string;
    };
    RevokedApiKeyResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      id: string;
      /**
       * @example revoked
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      /** Format: date-time */
      revoked_at: string;
    };
    BulkKeysRequest: {
      /**
       * @description Ids of keys. One that is there twice counts once.
       * @example [
       *       "6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10",
       *       "0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a"
       *     ]
       */
      ids: string[];
    };
    FailedKey: {
      /** @example 0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a */
      id: string;
      /**
       * @description What the single call answers: `not_found` for an unknown key too. `service_unavailable`: the database went away before this key was done; to be asked for again.
       * @example not_found
       */
      code: string;
      /** @example API key not found or not active */
      message: string;
    };
    BulkStatusResponse: {
      /** @description What the single call answers for each, in the order of the request. */
      succeeded: components['schemas']['ApiKeyStatusResponse'][];
      /** @description In the order of the request. */
      failed: components['schemas']['FailedKey'][];
    };
    BulkRevokeResponse: {
      /** @description What the single call answers for each, in the order of the request. */
      succeeded: components['schemas']['RevokedApiKeyResponse'][];
      /** @description In the order of the request. */
      failed: components['schemas']['FailedKey'][];
    };
    QuotaLimits: {
      /**
       * @description Requests a minute.
       * @example 60
       */
      rpm: number;
      /**
       * @description Requests a day.
       * @example 10000
       */
      rpd: number;
      /**
       * @description null: unlimited.
       * @example 200000
       */
      monthly_requests: number | null;
      /**
       * @description null: unlimited.
       * @example 5000000
       */
      monthly_tokens: number | null;
    };
    QuotaWindow: {
      /**
       * @description Requests counted in the window.
       * @example 12
       */
      count: number;
      /**
       * @description Never below 0.
       * @example 48
       */
      remaining: number;
      /**
       * Format: date-time
       * @description First instant of the next window.
       * @example 2026-07-14T09:31:00.000Z
       */
      reset_at: string;
      /**
       * @description From `checked_at` to `reset_at`, whole seconds, rounded up.
       * @example 18
       */
      reset_in_seconds: number;
    };
    QuotaMonth: {
      /** @example 4210 */
      request_count: number;
      /**
       * @description Never below 0; null: unlimited.
       * @example 195790
       */
      request_remaining: number | null;
      /**
       * @description Recorded so far: at most a second behind.
       * @example 1204998
       */
      token_count: number;
      /**
       * @description Never below 0; null: unlimited.
       * @example 3795002
       */
      token_remaining: number | null;
      /**
       * Format: date-time
       * @example 2026-08-01T00:00:00.000Z
       */
      reset_at: string;
    };
    QuotaWindows: {
      minute: components['schemas']['QuotaWindow'];
      day: components['schemas']['QuotaWindow'];
      month: components['schemas']['QuotaMonth'];
    };
    KeyQuotaResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      key_id: string;
      /**
       * @example active
       * @enum {string}
       */
      status: 'active' | 'suspended' | 'revoked';
      limits: components['schemas']['QuotaLimits'];
      current: components['schemas']['QuotaWindows'];
      /**
       * Format: date-time
       * @description The instant of which all this is true.
       * @example 2026-07-14T09:30:42.118Z
       */
      checked_at: string;
    };
    ResetQuotaRequest: {
      /**
       * @description `all`: minute, day and month. Tokens stay as they are.
       * @default all
       * @example minute
       * @enum {string}
       */
      window: 'minute' | 'day' | 'month' | 'all';
    };
    QuotaResetResponse: {
      /**
       * Format: uuid
       * @example 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10
       */
      key_id: string;
      /**
       * @example minute
       * @enum {string}
       */
      window: 'minute' | 'day' | 'month' | 'all';
      /**
       * @example true
       * @enum {boolean}
       */
      reset: true;
    };
    ModelAllowlistRow: {
      /** @example gpt-4o-mini */
      model: string;
      /**
       * @description null: there is no policy row.
       * @example false
       */
      enabled: boolean | null;
      /**
       * @description `allowlist_only`: a policy row for a model that the upstream does not list. With `GW_PROFILE=current` an allow entry routes such a model; otherwise it is refused. `allowlist_unverified`: the same while the upstream cannot be asked.
       * @example callable
       * @enum {string}
       */
      availability:
        | 'callable'
        | 'listed_unavailable'
        | 'registry_broken'
        | 'unclassified'
        | 'allowlist_only'
        | 'allowlist_unverified';
      /**
       * @description null: not known.
       * @example chat
       * @enum {string|null}
       */
      category: 'chat' | 'embedding' | 'image' | 'tts' | 'transcription' | 'ocr' | null;
      /** @example openai */
      provider: string | null;
      /**
       * @description What it is known to be able to do: the `gw_` fields of the same names that are true.
       * @example [
       *       "vision",
       *       "tool_use",
       *       "json_mode"
       *     ]
       */
      capabilities: (
        'reasoning' | 'vision' | 'web_search' | 'audio_input' | 'tool_use' | 'json_mode' | 'thinking' | 'computer_use'
      )[];
      /**
       * @description The paths that it fits. Empty where they are not known.
       * @example [
       *       "/v1/chat/completions",
       *       "/v1/completions",
       *       "/v1/responses"
       *     ]
       */
      endpoints: (
        | '/v1/chat/completions'
        | '/v1/completions'
        | '/v1/responses'
        | '/v1/messages'
        | '/v1/embeddings'
        | '/v1/images/generations'
        | '/v1/images/edits'
        | '/v1/audio/speech'
        | '/v1/audio/transcriptions'
      )[];
      /** @example Too dear for tests */
      note: string | null;
      /**
       * Format: date-time
       * @example 2026-07-14T09:30:42.118Z
       */
      updated_at: string | null;
      /**
       * @description An operator's id, `admin_key`, or `system`: the command line.
       * @example admin_key
       */
      updated_by: string | null;
    };
    ModelAllowlistResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      models: components['schemas']['ModelAllowlistRow'][];
    };
    SetModelPolicyRequest: {
      /**
       * @description Exact id, listed or not.
       * @example gpt-4o-mini
       */
      model: string;
      /**
       * @description true allows the model, false blocks it.
       * @example false
       */
      enabled: boolean;
      /**
       * @description Why. Left out or null: none.
       * @example Too dear for tests
       */
      note?: string | null;
    };
    DeletedModelPolicyResponse: {
      /** @example gpt-4o-mini */
      model: string;
      /**
       * @example true
       * @enum {boolean}
       */
      deleted: true;
    };
    ProbedModelResponse: {
      /** @example gpt-4o-mini */
      model: string;
      /**
       * @description `gw_availability` from now on.
       * @example callable
       * @enum {string}
       */
      availability: 'callable' | 'listed_unavailable' | 'registry_broken' | 'unclassified';
      /**
       * Format: date-time
       * @description When the verdict was found that holds now. Older than the call where this probe told nothing.
       * @example 2026-07-14T09:30:42.118Z
       */
      probed_at: string | null;
    };
    PurgedCacheResponse: {
      /**
       * @description Without `catalog` where the upstream could not be asked for its list.
       * @example [
       *       "catalog",
       *       "keys",
       *       "policy"
       *     ]
       */
      purged: ('catalog' | 'keys' | 'policy')[];
    };
    EndpointStatsRow: {
      request_count: number;
      /** @description Answered with 400 or above. */
      error_count: number;
      /**
       * @description Errors in percent, two decimals.
       * @example 7.32
       */
      error_rate: number;
      /** @example 412.5 */
      avg_latency_ms: number | null;
      /** @example 412.5 */
      max_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p50_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p95_latency_ms: number | null;
      /**
       * @description The route's template.
       * @example /v1/chat/completions
       */
      endpoint: string;
      /** @description 4xx. */
      client_error_count: number;
      /** @description 5xx. */
      server_error_count: number;
    };
    EndpointStatsResponse: {
      endpoints: components['schemas']['EndpointStatsRow'][];
    };
    ModelCountResponse: {
      /** @example gpt-4o-mini */
      model: string;
      count: number;
    };
    KeyStatsRow: {
      request_count: number;
      /** @description Answered with 400 or above. */
      error_count: number;
      /**
       * @description Errors in percent, two decimals.
       * @example 7.32
       */
      error_rate: number;
      /** @example 412.5 */
      avg_latency_ms: number | null;
      /** @example 412.5 */
      max_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p50_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p95_latency_ms: number | null;
      input_tokens: number;
      output_tokens: number;
      total_tokens: number;
      /**
       * Format: uuid
       * @example 7f0c8a52-3f5e-4a53-9d0c-1f6b2f7f9d11
       */
      key_id: string;
      /**
       * @description null: there is no such key any more.
       * @example billing service
       */
      key_name: string | null;
      /** @description The ten models asked for most. */
      top_models: components['schemas']['ModelCountResponse'][];
    };
    KeyStatsResponse: {
      keys: components['schemas']['KeyStatsRow'][];
    };
    ModelStatsRow: {
      request_count: number;
      /** @description Answered with 400 or above. */
      error_count: number;
      /**
       * @description Errors in percent, two decimals.
       * @example 7.32
       */
      error_rate: number;
      /** @example 412.5 */
      avg_latency_ms: number | null;
      /** @example 412.5 */
      max_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p50_latency_ms: number | null;
      /**
       * @description Nearest-rank; over hours that are summed up at most 1.1 % off, and never above the maximum.
       * @example 412.5
       */
      p95_latency_ms: number | null;
      input_tokens: number;
      output_tokens: number;
      total_tokens: number;
      /**
       * @description As it was asked for.
       * @example gpt-4o-mini
       */
      model: string;
    };
    ModelStatsResponse: {
      models: components['schemas']['ModelStatsRow'][];
    };
    RequestLogResponse: {
      /**
       * Format: uuid
       * @example 0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57
       */
      id: string;
      /**
       * Format: uuid
       * @description The same as `id`.
       * @example 0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57
       */
      request_id: string;
      /**
       * Format: uuid
       * @example 5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f
       */
      key_id: string;
      /** @example billing service */
      key_name: string | null;
      /** @example POST */
      method: string;
      /**
       * @description The route's template.
       * @example /v1/chat/completions
       */
      endpoint: string;
      /**
       * @description The one asked for.
       * @example gpt-4o-mini
       */
      model: string | null;
      /**
       * @description 499: the client went away before.
       * @example 429
       */
      status: number;
      /** @example rate_limit_exceeded */
      error_code: string | null;
      /**
       * @description What the client was told with it.
       * @example Rate limit exceeded: requests per minute
       */
      error_message: string | null;
      /** @example false */
      stream: boolean;
      /**
       * @description From the request's head to the answer's end.
       * @example 840
       */
      latency_ms: number;
      /**
       * @description Until the upstream's head; null: it was not asked.
       * @example 815
       */
      upstream_latency_ms: number | null;
      /** @example 11 */
      input_tokens: number;
      /** @example 7 */
      output_tokens: number;
      /**
       * Format: date-time
       * @example 2026-07-31T12:00:00.000Z
       */
      created_at: string;
    };
    RequestLogListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`; at most 100,000.
       * @example 2
       */
      total: number;
      /**
       * @description There are more than `total`. Left out where it is exact.
       * @enum {boolean}
       */
      total_capped?: true;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      logs: components['schemas']['RequestLogResponse'][];
    };
    UsageFiguresResponse: {
      /**
       * @description Those that were admitted.
       * @example 12
       */
      requests: number;
      /**
       * @description Those of them answered with 4xx or 5xx.
       * @example 1
       */
      errors: number;
      /** @example 121 */
      input_tokens: number;
      /** @example 77 */
      output_tokens: number;
      /** @example 198 */
      total_tokens: number;
      /**
       * @description Part of `total_tokens`: counted here, not reported.
       * @example 0
       */
      estimated_tokens: number;
    };
    DailyUsage: {
      /**
       * @description Those that were admitted.
       * @example 12
       */
      requests: number;
      /**
       * @description Those of them answered with 4xx or 5xx.
       * @example 1
       */
      errors: number;
      /** @example 121 */
      input_tokens: number;
      /** @example 77 */
      output_tokens: number;
      /** @example 198 */
      total_tokens: number;
      /**
       * @description Part of `total_tokens`: counted here, not reported.
       * @example 0
       */
      estimated_tokens: number;
      /**
       * Format: date
       * @example 2026-07-31
       */
      date: string;
    };
    UsageOfKey: {
      /**
       * @description Those that were admitted.
       * @example 12
       */
      requests: number;
      /**
       * @description Those of them answered with 4xx or 5xx.
       * @example 1
       */
      errors: number;
      /** @example 121 */
      input_tokens: number;
      /** @example 77 */
      output_tokens: number;
      /** @example 198 */
      total_tokens: number;
      /**
       * @description Part of `total_tokens`: counted here, not reported.
       * @example 0
       */
      estimated_tokens: number;
      /**
       * Format: uuid
       * @example 5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f
       */
      key_id: string;
      /** @example billing service */
      key_name: string | null;
    };
    UsageOfModel: {
      /**
       * @description Those that were admitted.
       * @example 12
       */
      requests: number;
      /**
       * @description Those of them answered with 4xx or 5xx.
       * @example 1
       */
      errors: number;
      /** @example 121 */
      input_tokens: number;
      /** @example 77 */
      output_tokens: number;
      /** @example 198 */
      total_tokens: number;
      /**
       * @description Part of `total_tokens`: counted here, not reported.
       * @example 0
       */
      estimated_tokens: number;
      /**
       * @description null: requests that named none.
       * @example gpt-4o-mini
       */
      model: string | null;
    };
    UsageResponse: {
      /** @enum {string} */
      object: 'usage';
      /**
       * Format: date
       * @example 2026-07-31
       */
      from: string;
      /**
       * Format: date
       * @description The last day of it.
       * @example 2026-07-31
       */
      to: string;
      totals: components['schemas']['UsageFiguresResponse'];
      /** @description Days with usage, the newest first. */
      daily: components['schemas']['DailyUsage'][];
      /** @description The 500 with the most requests, the most first. */
      by_key: components['schemas']['UsageOfKey'][];
      /** @description The 500 with the most requests, the most first. */
      by_model: components['schemas']['UsageOfModel'][];
    };
    MonthlyUsage: {
      /**
       * @description Those that were admitted.
       * @example 12
       */
      requests: number;
      /**
       * @description Those of them answered with 4xx or 5xx.
       * @example 1
       */
      errors: number;
      /** @example 121 */
      input_tokens: number;
      /** @example 77 */
      output_tokens: number;
      /** @example 198 */
      total_tokens: number;
      /**
       * @description Part of `total_tokens`: counted here, not reported.
       * @example 0
       */
      estimated_tokens: number;
      /** @example 2026-07 */
      month: string;
    };
    KeyUsageResponse: {
      /**
       * Format: uuid
       * @example 5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f
       */
      key_id: string;
      /** @description Days with usage, the newest first. */
      daily: components['schemas']['DailyUsage'][];
      /** @description Months with usage, whole ones, the newest first. */
      monthly: components['schemas']['MonthlyUsage'][];
    };
    AuditLogEntry: {
      /**
       * Format: uuid
       * @example b7c1f3a2-4d5e-4f60-8a9b-1c2d3e4f5a6b
       */
      id: string;
      /**
       * @description One of api_key.created, api_key.updated, api_key.rotated, api_key.revoked, api_key.suspended, api_key.unsuspended, api_key.quota_reset, model_policy.set, model_policy.deleted, model.probed, cache.purged, job.started, webhook.created, webhook.updated, webhook.deleted, webhook.tested, operator.created, operator.updated, operator.deleted, operator.password_changed, admin.login, admin.login_failed, admin.logout, admin.session_revoked.
       * @example api_key.updated
       */
      action: string;
      /**
       * @example operator
       * @enum {string}
       */
      actor_type: 'admin_key' | 'operator' | 'system';
      /** @example api_key */
      target_type: string;
      /** @example 5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f */
      target_id: string | null;
      /**
       * @description What changed, old and new, never a secret; and `actor_id`, `request_id`, `ip`.
       * @example {
       *       "changes": {
       *         "rpm_limit": {
       *           "old": 60,
       *           "new": 600
       *         }
       *       },
       *       "actor_id": "0d9f8e7d-6c5b-4a39-9281-706f5e4d3c2b",
       *       "request_id": "0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57",
       *       "ip": "192.0.2.7"
       *     }
       */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @example 2026-07-31T12:00:00.000Z
       */
      created_at: string;
    };
    AuditLogListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`; at most 100,000.
       * @example 2
       */
      total: number;
      /**
       * @description There are more than `total`. Left out where it is exact.
       * @enum {boolean}
       */
      total_capped?: true;
      logs: components['schemas']['AuditLogEntry'][];
    };
    KeyAuditResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`; at most 100,000.
       * @example 2
       */
      total: number;
      /**
       * @description There are more than `total`. Left out where it is exact.
       * @enum {boolean}
       */
      total_capped?: true;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      logs: components['schemas']['AuditLogEntry'][];
    };
    OperatorResponse: {
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      id: string;
      /** @example ada@example.com */
      email: string;
      /** @example Ada */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'admin' | 'owner';
      disabled: boolean;
      /**
       * Format: date-time
       * @description null: never.
       * @example 2026-03-01T12:00:00.000Z
       */
      last_login_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-01T12:00:00.000Z
       */
      created_at: string;
    };
    OperatorListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      operators: components['schemas']['OperatorResponse'][];
    };
    CreateOperatorRequest: {
      /**
       * @description Nobody else may have it, in any letter case.
       * @example ada@example.com
       */
      email: string;
      /** @example Ada */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'admin' | 'owner';
      /** @example correct horse battery staple */
      password: string;
    };
    UpdateOperatorRequest: {
      /** @example Ada */
      name?: string;
      /** @enum {string} */
      role?: 'viewer' | 'admin' | 'owner';
      /** @description true: may not sign in, and every session has ended. */
      disabled?: boolean;
    };
    DeletedOperatorResponse: {
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      id: string;
      /** @enum {boolean} */
      deleted: true;
    };
    SetPasswordRequest: {
      /** @example correct horse battery staple */
      new_password: string;
    };
    SessionResponse: {
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      id: string;
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      operator_id: string;
      /**
       * Format: date-time
       * @example 2026-03-01T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Exact to 15 minutes.
       * @example 2026-03-01T12:00:00.000Z
       */
      last_seen_at: string;
      /**
       * Format: date-time
       * @example 2026-03-01T12:00:00.000Z
       */
      expires_at: string;
      /**
       * @description From where it was signed in.
       * @example 203.0.113.7
       */
      ip: string | null;
      /** @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) */
      user_agent: string | null;
      /** @description true: the session that this call came with. */
      current: boolean;
    };
    SessionListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      sessions: components['schemas']['SessionResponse'][];
    };
    EndedSessionResponse: {
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      id: string;
      /** @enum {boolean} */
      deleted: true;
    };
    JobRunResponse: {
      /**
       * Format: uuid
       * @example 6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21
       */
      run_id: string;
      /**
       * @description The daily job, or the probes of `GW_PROBE_CRON`.
       * @enum {string}
       */
      job: 'daily' | 'probes';
      /**
       * Format: date-time
       * @example 2026-07-14T03:00:00.012Z
       */
      started_at: string;
      /**
       * Format: date-time
       * @description null while it runs. Of a run whose process went away: when that was found out.
       * @example 2026-07-14T03:00:01.480Z
       */
      finished_at: string | null;
      /**
       * @description `failed`: not all of it was done.
       * @enum {string}
       */
      outcome: 'running' | 'succeeded' | 'failed';
      /**
       * @description What the run did, by name; empty while it runs.
       * @example {
       *       "keys_looked_at": 812,
       *       "key_expired": 1,
       *       "request_logs_deleted": 8640
       *     }
       */
      counts: {
        [key: string]: number;
      };
    };
    JobListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      jobs: components['schemas']['JobRunResponse'][];
    };
    StartedJobResponse: {
      /** @enum {string} */
      job: 'daily';
      /**
       * Format: uuid
       * @description Of the run that this call began, or of the one that was under way.
       * @example 6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21
       */
      run_id: string;
    };
    NotificationResponse: {
      /**
       * Format: uuid
       * @example 7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7
       */
      id: string;
      /** @enum {string} */
      type:
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_disabled';
      /**
       * @description What fits the type.
       * @example {
       *       "key_id": "0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90",
       *       "key_name": "reporting",
       *       "status": "active",
       *       "expires_at": "2026-07-05T00:00:00.000Z"
       *     }
       */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the caller marked it; null: it is unread.
       * @example 2026-07-01T03:00:00.000Z
       */
      read_at: string | null;
      /**
       * Format: date-time
       * @example 2026-07-01T03:00:00.000Z
       */
      created_at: string;
    };
    NotificationListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      notifications: components['schemas']['NotificationResponse'][];
    };
    AllReadResponse: {
      /**
       * @description How many were unread.
       * @example 3
       */
      read: number;
    };
    CreateWebhookRequest: {
      /**
       * @description http or https, to a public address, without user name and password. Redirects are not followed.
       * @example https://example.com/hooks/gateway
       */
      url: string;
      /**
       * @description Types of events, or `*` alone for all of them.
       * @example [
       *       "key_expired",
       *       "key_revoked"
       *     ]
       */
      events: (
        | '*'
        | 'key_provisioned'
        | 'key_rotated'
        | 'key_revoked'
        | 'key_suspended'
        | 'key_unsuspended'
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_test'
      )[];
      /** @default true */
      enabled: boolean;
    };
    CreatedWebhookResponse: {
      /**
       * Format: uuid
       * @example 0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90
       */
      id: string;
      /** @example https://example.com/hooks/gateway */
      url: string;
      /**
       * @description `*`: every type.
       * @example [
       *       "key_expired",
       *       "key_revoked"
       *     ]
       */
      events: (
        | '*'
        | 'key_provisioned'
        | 'key_rotated'
        | 'key_revoked'
        | 'key_suspended'
        | 'key_unsuspended'
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_test'
      )[];
      enabled: boolean;
      /**
       * @description `failing`: the gateway has switched it off, since everything had failed for three days.
       * @example null
       * @enum {string|null}
       */
      disabled_reason: 'failing' | null;
      /**
       * Format: date-time
       * @example 2026-07-01T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-07-01T12:00:00.000Z
       */
      updated_at: string;
      /**
       * @description Verifies the signatures (Standard Webhooks): shown here and never again.
       * @example whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
       */
      secret: string;
    };
    WebhookResponse: {
      /**
       * Format: uuid
       * @example 0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90
       */
      id: string;
      /** @example https://example.com/hooks/gateway */
      url: string;
      /**
       * @description `*`: every type.
       * @example [
       *       "key_expired",
       *       "key_revoked"
       *     ]
       */
      events: (
        | '*'
        | 'key_provisioned'
        | 'key_rotated'
        | 'key_revoked'
        | 'key_suspended'
        | 'key_unsuspended'
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_test'
      )[];
      enabled: boolean;
      /**
       * @description `failing`: the gateway has switched it off, since everything had failed for three days.
       * @example null
       * @enum {string|null}
       */
      disabled_reason: 'failing' | null;
      /**
       * Format: date-time
       * @example 2026-07-01T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-07-01T12:00:00.000Z
       */
      updated_at: string;
    };
    WebhookListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      webhooks: components['schemas']['WebhookResponse'][];
    };
    UpdateWebhookRequest: {
      /**
       * @description http or https, to a public address, without user name and password. Redirects are not followed.
       * @example https://example.com/hooks/gateway
       */
      url?: string;
      /**
       * @description Types of events, or `*` alone for all of them.
       * @example [
       *       "key_expired",
       *       "key_revoked"
       *     ]
       */
      events?: (
        | '*'
        | 'key_provisioned'
        | 'key_rotated'
        | 'key_revoked'
        | 'key_suspended'
        | 'key_unsuspended'
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_test'
      )[];
      /** @description true also takes `disabled_reason` away. */
      enabled?: boolean;
    };
    DeletedWebhookResponse: {
      /**
       * Format: uuid
       * @example 0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90
       */
      id: string;
      /** @enum {boolean} */
      deleted: true;
    };
    TestedWebhookResponse: {
      /**
       * Format: uuid
       * @example 0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90
       */
      event_id: string;
      /**
       * Format: uuid
       * @description Found in the list of deliveries.
       * @example 7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7
       */
      delivery_id: string;
    };
    DeliveryResponse: {
      /**
       * Format: uuid
       * @example 7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7
       */
      id: string;
      /**
       * Format: uuid
       * @description `webhook-id` of every attempt.
       * @example 0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90
       */
      event_id: string;
      /** @enum {string} */
      type:
        | 'key_provisioned'
        | 'key_rotated'
        | 'key_revoked'
        | 'key_suspended'
        | 'key_unsuspended'
        | 'key_expiring_soon'
        | 'key_expired'
        | 'key_quota_warning'
        | 'key_quota_exceeded'
        | 'key_token_quota_warning'
        | 'key_token_quota_exceeded'
        | 'webhook_test';
      /**
       * @description `failed`: not tried again by itself.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /** @example 1 */
      attempts: number;
      /**
       * @description Of the last attempt; null: no answer.
       * @example 204
       */
      response_status: number | null;
      /**
       * @description How the answer to the last attempt began, or in brackets why there was none.
       * @example ok
       */
      response_excerpt: string | null;
      /**
       * Format: date-time
       * @description null: it is not tried again by itself.
       * @example 2026-07-01T12:00:00.000Z
       */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @example 2026-07-01T12:00:00.000Z
       */
      created_at: string;
    };
    DeliveryListResponse: {
      /**
       * @description All that match, whatever `limit` and `offset`.
       * @example 1
       */
      total: number;
      /**
       * @description Whether the next page holds anything.
       * @example false
       */
      has_more: boolean;
      deliveries: components['schemas']['DeliveryResponse'][];
    };
    SignInRequest: {
      /**
       * @description In any letter case.
       * @example ada@example.com
       */
      email: string;
      /** @example correct horse battery staple */
      password: string;
    };
    SignedInOperator: {
      /**
       * Format: uuid
       * @example 0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80
       */
      id: string;
      /** @example ada@example.com */
      email: string;
      /** @example Ada */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'admin' | 'owner';
    };
    DashboardSessionResponse: {
      operator: components['schemas']['SignedInOperator'];
      /**
       * @description To be sent as `X-CSRF-Token` with every call but `GET`; the same for the whole session.
       * @example kQ2pX0r4…
       */
      csrf_token: string;
      /**
       * Format: date-time
       * @description Seven days from the last extension; activity extends it, every 15 minutes at most.
       * @example 2026-03-08T12:00:00.000Z
       */
      expires_at: string;
    };
    ChangePasswordRequest: {
      /** @example correct horse battery staple */
      current_password: string;
      /** @example a longer horse, a newer battery */
      new_password: string;
    };
    HealthAnswer: {
      /** @enum {string} */
      status: 'ok';
      /** @example inference-gateway */
      service: string;
      /** @example 1.0.0 */
      version: string;
      uptime_seconds: number;
    };
    LiveAnswer: {
      /** @enum {string} */
      status: 'live';
    };
    ReadyAnswer: {
      /**
       * @description `degraded`: known keys are served, something behind the gateway is away.
       * @enum {string}
       */
      status: 'ready' | 'degraded' | 'not_ready';
      /** @enum {string} */
      database: 'connecting' | 'ready' | 'away';
      /**
       * @description `refused`: asked for its models, it does not take the account's credential (401).
       * @enum {string}
       */
      upstream: 'ready' | 'away' | 'refused';
      /** @description A stop signal has come. */
      draining: boolean;
    };
    ErrorEnvelope: {
      /**
       * @description Under /v1/messages only.
       * @enum {string}
       */
      type?: 'error';
      error: {
        message: string;
        /** @enum {string} */
        type: 'authentication_error' | 'invalid_request_error' | 'rate_limit_error' | 'api_error';
        /** @enum {string} */
        code:
          | 'missing_api_key'
          | 'invalid_api_key'
          | 'api_key_expired'
          | 'api_key_suspended'
          | 'api_key_revoked'
          | 'invalid_credentials'
          | 'forbidden'
          | 'model_not_allowed'
          | 'model_not_available'
          | 'model_endpoint_mismatch'
          | 'rate_limit_exceeded'
          | 'missing_required_parameter'
          | 'invalid_type'
          | 'invalid_value'
          | 'invalid_content_type'
          | 'invalid_json'
          | 'unsupported_parameter'
          | 'unsupported_value'
          | 'validation_error'
          | 'bad_request'
          | 'not_found'
          | 'route_not_found'
          | 'request_timeout'
          | 'request_too_large'
          | 'upgrade_required'
          | 'headers_too_large'
          | 'internal_error'
          | 'upstream_error'
          | 'capacity_exceeded'
          | 'service_unavailable';
        /** @description The field at fault. */
        param: string | null;
        /** @description The same as X-Request-Id. */
        request_id: string;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Id of the request. */
    'X-Request-Id': string;
    /** @description The client's own X-Request-Id, where it sent a well-formed one. */
    'X-GW-Client-Id': string;
    /** @description Milliseconds from the head of the request to the head of the answer. */
    'X-GW-Latency': number;
    /** @description The model that answered; left out where there is none. */
    'X-GW-Model': string;
    /** @description Name of the key, percent-encoded where it is not printable ASCII. */
    'X-GW-Key-Name': string;
    /** @description Requests a minute. */
    'X-RateLimit-Limit-Requests': number;
    /** @description Left in this minute. */
    'X-RateLimit-Remaining-Requests': number;
    /** @description Until the minute ends. */
    'X-RateLimit-Reset-Requests': string;
    /** @description Requests a day. */
    'X-RateLimit-Limit-Day': number;
    /** @description Left today. */
    'X-RateLimit-Remaining-Day': number;
    /** @description Until midnight, UTC. */
    'X-RateLimit-Reset-Day': string;
    /** @description Requests a month; only where the key has such a limit. */
    'X-RateLimit-Limit-Month': number;
    /** @description Left this month; only where the key has such a limit. */
    'X-RateLimit-Remaining-Month': number;
    /** @description Until the month ends; only where the key has such a limit. */
    'X-RateLimit-Reset-Month': string;
    /** @description Tokens a month; only where the key has such a limit. */
    'X-RateLimit-Limit-Tokens': number;
    /** @description Left this month; only where the key has such a limit. */
    'X-RateLimit-Remaining-Tokens': number;
    /** @description Until the month ends; only where the key has such a limit. */
    'X-RateLimit-Reset-Tokens': string;
    /** @description Seconds to wait before the next try. */
    'Retry-After': number;
    /** @description Status that the provider answered, where it answered at all. */
    'X-GW-Upstream-Status': number;
    /** @description The session cookie `gw_admin_session`: given, kept alive or taken away. */
    'Set-Cookie': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  createChatCompletion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChatCompletionRequest'];
      };
    };
    responses: {
      /** @description The completion; with `stream: true` server-sent events, each a chunk, closed by `data: [DONE]`. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatCompletion'];
          'text/event-stream': components['schemas']['ChatCompletionChunk'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `unsupported_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createCompletion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CompletionRequest'];
      };
    };
    responses: {
      /** @description The completion; with `stream: true` server-sent events, each a chunk, closed by `data: [DONE]`. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Completion'];
          'text/event-stream': components['schemas']['Completion'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `unsupported_parameter`, `unsupported_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createEmbedding: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EmbeddingRequest'];
      };
    };
    responses: {
      /** @description A vector for each text, in their order. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EmbeddingList'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listModels: {
    parameters: {
      query?: {
        /** @description Found in the id, whatever the case. */
        search?: string;
        category?: 'chat' | 'embedding' | 'image' | 'tts' | 'transcription' | 'ocr';
        /** @description A path that the model can be called at. Leaves custom models out. */
        endpoint?:
          | '/v1/chat/completions'
          | '/v1/completions'
          | '/v1/responses'
          | '/v1/messages'
          | '/v1/embeddings'
          | '/v1/images/generations'
          | '/v1/images/edits'
          | '/v1/audio/speech'
          | '/v1/audio/transcriptions';
        /** @description `gw_provider`. Leaves custom models out. */
        provider?: string;
        reasoning?: boolean;
        vision?: boolean;
        web_search?: boolean;
        audio_input?: boolean;
        tool_use?: boolean;
        json_mode?: boolean;
        thinking?: boolean;
        computer_use?: boolean;
        /** @description Left out: the upstream's order. */
        sort_by?: 'id' | 'created';
        /** @description Only with `sort_by`, yet checked without it too. */
        sort_dir?: 'asc' | 'desc';
        /** @description Maximum number of models, after filters and sorting. */
        limit?: number;
        /** @description Returns the models after this ID. Ignored unless `GW_PROFILE` is `current`. */
        after_id?: string;
        /** @description Returns the models before this ID. Ignored unless `GW_PROFILE` is `current`. */
        before_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The models that this key may see. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelListAnswer'];
        };
      };
      /** @description `invalid_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Version of the format, sent on; 2023-06-01 where it is left out. */
        'anthropic-version'?: string;
        /** @description Beta features, separated by commas; those of `betas` in the body are added. */
        'anthropic-beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageRequest'];
      };
    };
    responses: {
      /** @description The message; with `stream: true` named server-sent events from `message_start` to `message_stop`. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
          'text/event-stream': components['schemas']['MessageStreamEvent'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  getMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Version of the format, sent on; 2023-06-01 where it is left out. */
        'anthropic-version'?: string;
      };
      path: {
        message_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the upstream answers. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createResponse: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResponseRequest'];
      };
    };
    responses: {
      /** @description The response; with `stream: true` named server-sent events up to `response.completed`. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelResponse'];
          'text/event-stream': components['schemas']['ResponseStreamEvent'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  getResponse: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelResponse'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteResponse: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedResponse'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createSpeech: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SpeechRequest'];
      };
    };
    responses: {
      /** @description The audio in the requested format, as it is generated; with `stream_format: "sse"` server-sent events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'audio/mpeg': string;
          'audio/ogg': string;
          'audio/opus': string;
          'audio/aac': string;
          'audio/flac': string;
          'audio/wav': string;
          'audio/pcm': string;
          'text/event-stream': string;
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `unsupported_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createTranscription: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['TranscriptionRequest'];
      };
    };
    responses: {
      /** @description The text, in the format asked for; where the model streams it, server-sent events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            text?: string;
          };
          'text/plain': string;
          'text/event-stream': string;
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createImage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImageGenerationRequest'];
      };
    };
    responses: {
      /** @description The images; with `stream` true server-sent events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImagesResult'];
          'text/event-stream': string;
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `unsupported_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createImageEdit: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['ImageEditRequest'];
      };
    };
    responses: {
      /** @description The images; with `stream` true server-sent events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImagesResult'];
          'text/event-stream': string;
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `unsupported_value`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listFiles: {
    parameters: {
      query?: {
        /** @description Only files of this purpose. */
        purpose?: string;
        /** @description Files at most. */
        limit?: number;
      };
      header?: {
        /** @description Forwarded. It marks a request as one for Anthropic where both vendors serve the path. */
        'anthropic-version'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  uploadFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. It marks a request as one for Anthropic where both vendors serve the path. */
        'anthropic-version'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['FileUpload'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileObject'];
        };
      };
      /** @description `invalid_content_type`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. It marks a request as one for Anthropic where both vendors serve the path. */
        'anthropic-version'?: string;
      };
      path: {
        file_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. It marks a request as one for Anthropic where both vendors serve the path. */
        'anthropic-version'?: string;
      };
      path: {
        file_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Deletion'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  downloadFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. It marks a request as one for Anthropic where both vendors serve the path. */
        'anthropic-version'?: string;
      };
      path: {
        file_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The bytes of the file. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': string;
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listAssistants: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AssistantList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createAssistant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AssistantChange'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Assistant'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveAssistant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        assistant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Assistant'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modifyAssistant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        assistant_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AssistantChange'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Assistant'];
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteAssistant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        assistant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Deletion'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listThreads: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObjectList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ThreadCreation'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Deletion'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listThreadMessages: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObjectList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createThreadMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ThreadMessageCreation'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveThreadMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
        message_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listRuns: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObjectList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RunCreation'];
      };
    };
    responses: {
      /** @description The object; with `stream: true` server-sent events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
          'text/event-stream': string;
        };
      };
      /** @description `model_endpoint_mismatch`, `missing_required_parameter`, `invalid_type`, `invalid_value`, `invalid_content_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
        run_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  cancelRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
        run_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listRunSteps: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        thread_id: string;
        run_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObjectList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listVectorStores: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorStoreList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createVectorStore: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VectorStoreChange'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorStore'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveVectorStore: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorStore'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modifyVectorStore: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VectorStoreChange'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorStore'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteVectorStore: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Deletion'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  listVectorStoreFiles: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObjectList'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  createVectorStoreFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VectorStoreFileCreation'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveVectorStoreFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
        file_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredObject'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  deleteVectorStoreFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Forwarded. The provider may demand `assistants=v2`. */
        'OpenAI-Beta'?: string;
      };
      path: {
        vector_store_id: string;
        file_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Deletion'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  retrieveUsage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the key has used and what is left. Counts nothing. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageSnapshot'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description Not together with `expired=true`. */
        status?: 'active' | 'suspended' | 'revoked';
        /** @description Found in the name or the id, whatever the case. */
        name?: string;
        /** @description true: only keys whose `expires_at` has passed. */
        expired?: boolean;
        /** @description Created at or after. */
        since?: string;
        /** @description Created at or before. */
        until?: string;
        sort_by?: 'name' | 'created_at' | 'updated_at' | 'last_used_at';
        sort_dir?: 'asc' | 'desc';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysCreate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateApiKeyRequest'];
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKeyResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysGet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateApiKeyRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysSuspend: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyStatusResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no active key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysUnsuspend: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyStatusResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no suspended key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysRotate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotatedApiKeyResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: unknown or revoked */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  apiKeysRevoke: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RevokedApiKeyResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: unknown or revoked */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  bulkKeysSuspend: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkKeysRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkStatusResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  bulkKeysUnsuspend: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkKeysRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkStatusResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  bulkKeysRevoke: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkKeysRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkRevokeResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  keyQuotaRead: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyQuotaResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  keyQuotaReset: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResetQuotaRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QuotaResetResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modelAllowlistList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description Found in the id, whatever the case. */
        search?: string;
        /** @description What the policy row says; models without one match neither. */
        enabled?: boolean;
        availability?:
          | 'callable'
          | 'listed_unavailable'
          | 'registry_broken'
          | 'unclassified'
          | 'allowlist_only'
          | 'allowlist_unverified';
        category?: 'chat' | 'embedding' | 'image' | 'tts' | 'transcription' | 'ocr';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelAllowlistResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modelAllowlistSet: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetModelPolicyRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelAllowlistRow'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  cachePurge: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PurgedCacheResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  endpointStatsList: {
    parameters: {
      query?: {
        /** @description Requests of this key. */
        key_id?: string;
        /** @description Requests that asked for this model. */
        model?: string;
        /** @description At or after; 30 days before `until` where left out. */
        since?: string;
        /** @description At or before; now where left out. */
        until?: string;
        limit?: number;
        sort_dir?: 'asc' | 'desc';
        sort_by?: 'request_count' | 'error_count' | 'avg_latency_ms' | 'max_latency_ms' | 'p95_latency_ms';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointStatsResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  keyStatsList: {
    parameters: {
      query?: {
        /** @description Requests of this key. */
        key_id?: string;
        /** @description Requests that asked for this model. */
        model?: string;
        /** @description At or after; 30 days before `until` where left out. */
        since?: string;
        /** @description At or before; now where left out. */
        until?: string;
        limit?: number;
        sort_dir?: 'asc' | 'desc';
        sort_by?:
          'request_count' | 'error_count' | 'total_tokens' | 'avg_latency_ms' | 'max_latency_ms' | 'p95_latency_ms';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyStatsResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modelStatsList: {
    parameters: {
      query?: {
        /** @description Requests of this key. */
        key_id?: string;
        /** @description Requests that asked for this model. */
        model?: string;
        /** @description At or after; 30 days before `until` where left out. */
        since?: string;
        /** @description At or before; now where left out. */
        until?: string;
        limit?: number;
        sort_dir?: 'asc' | 'desc';
        sort_by?:
          'request_count' | 'error_count' | 'total_tokens' | 'avg_latency_ms' | 'max_latency_ms' | 'p95_latency_ms';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelStatsResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  requestLogsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description The `X-Request-Id` of an answer. Finds refused requests of the last 7 days too, which no other listing holds. */
        request_id?: string;
        /** @description Requests of one key. */
        key_id?: string;
        /** @description The model asked for, to the letter. */
        model?: string;
        /** @description The route's template, e.g. `/v1/files/{file_id}`. */
        endpoint?: string;
        /** @description What the client was answered; 499 where it went away before. */
        status?: number;
        /** @description Begun at or after. */
        since?: string;
        /** @description Begun at or before. To read page after page, leave it at one moment. */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RequestLogListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  usageRead: {
    parameters: {
      query?: {
        /** @description First day (UTC), as a date or any time on it. */
        from?: string;
        /** @description Last day (UTC), as a date or any time on it: the whole day counts. */
        to?: string;
        /** @description Usage of one key. */
        key_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  keyUsageHistoryRead: {
    parameters: {
      query?: {
        /** @description First day (UTC), as a date or any time on it. */
        from?: string;
        /** @description Last day (UTC), as a date or any time on it: the whole day counts. */
        to?: string;
        daily_limit?: number;
        monthly_limit?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyUsageResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  auditLogsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description Written at or after. */
        since?: string;
        /** @description Written at or before. To read page after page, leave it at one moment. */
        until?: string;
        /** @description The id of a key, webhook or operator, the name of a model … */
        target_id?: string;
        action?:
          | 'api_key.created'
          | 'api_key.updated'
          | 'api_key.rotated'
          | 'api_key.revoked'
          | 'api_key.suspended'
          | 'api_key.unsuspended'
          | 'api_key.quota_reset'
          | 'model_policy.set'
          | 'model_policy.deleted'
          | 'model.probed'
          | 'cache.purged'
          | 'job.started'
          | 'webhook.created'
          | 'webhook.updated'
          | 'webhook.deleted'
          | 'webhook.tested'
          | 'operator.created'
          | 'operator.updated'
          | 'operator.deleted'
          | 'operator.password_changed'
          | 'admin.login'
          | 'admin.login_failed'
          | 'admin.logout'
          | 'admin.session_revoked';
        actor_type?: 'admin_key' | 'operator' | 'system';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditLogListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  keyAuditList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description Written at or after. */
        since?: string;
        /** @description Written at or before. To read page after page, leave it at one moment. */
        until?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyAuditResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no key has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  operatorsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatorListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  operatorsCreate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateOperatorRequest'];
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatorResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  operatorsRemove: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedOperatorResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no operator has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  operatorsUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateOperatorRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatorResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no operator has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  operatorsSetPassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetPasswordRequest'];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no operator has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  sessionsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  sessionsEnd: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndedSessionResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no session has this id, or it is somebody else's and the caller no owner */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  jobsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        job?: 'daily' | 'probes';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  jobsRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedJobResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  notificationsList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description true: only what the caller has not read; false: only what it has. Left out: both. */
        unread?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  notificationsReadAll: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AllReadResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  notificationsRead: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no notification has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksList: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksCreate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookRequest'];
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWebhookResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksGet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no webhook has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksRemove: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedWebhookResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no webhook has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateWebhookRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no webhook has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksTest: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestedWebhookResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no webhook has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksListDeliveries: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        status?: 'pending' | 'delivered' | 'failed';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryListResponse'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no webhook has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  webhooksRetry: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
        delivery_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: unknown or already delivered */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  dashboardSessionRead: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DashboardSessionResponse'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  dashboardSessionSignIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignInRequest'];
      };
    };
    responses: {
      /** @description Signed in: the session cookie comes with the answer. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DashboardSessionResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_content_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `invalid_credentials` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  dashboardSessionSignOut: {
    parameters: {
      query?: never;
      header: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended; the cookie is taken away. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_type`, `invalid_json`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  dashboardPasswordChange: {
    parameters: {
      query?: never;
      header: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest'];
      };
    };
    responses: {
      /** @description Changed. All sessions stay. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_credentials` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HealthAnswer'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  headHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LiveAnswer'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  headLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Known keys are served. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReadyAnswer'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description Not yet, or not any more. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReadyAnswer'];
        };
      };
    };
  };
  headReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not yet, or not any more. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  retrieveModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Model id; slashes plain or percent-encoded.
         * @example gpt-4o-mini
         */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Client-Id': components['headers']['X-GW-Client-Id'];
          'X-GW-Latency': components['headers']['X-GW-Latency'];
          'X-GW-Model': components['headers']['X-GW-Model'];
          'X-GW-Key-Name': components['headers']['X-GW-Key-Name'];
          'X-RateLimit-Limit-Requests': components['headers']['X-RateLimit-Limit-Requests'];
          'X-RateLimit-Remaining-Requests': components['headers']['X-RateLimit-Remaining-Requests'];
          'X-RateLimit-Reset-Requests': components['headers']['X-RateLimit-Reset-Requests'];
          'X-RateLimit-Limit-Day': components['headers']['X-RateLimit-Limit-Day'];
          'X-RateLimit-Remaining-Day': components['headers']['X-RateLimit-Remaining-Day'];
          'X-RateLimit-Reset-Day': components['headers']['X-RateLimit-Reset-Day'];
          'X-RateLimit-Limit-Month': components['headers']['X-RateLimit-Limit-Month'];
          'X-RateLimit-Remaining-Month': components['headers']['X-RateLimit-Remaining-Month'];
          'X-RateLimit-Reset-Month': components['headers']['X-RateLimit-Reset-Month'];
          'X-RateLimit-Limit-Tokens': components['headers']['X-RateLimit-Limit-Tokens'];
          'X-RateLimit-Remaining-Tokens': components['headers']['X-RateLimit-Remaining-Tokens'];
          'X-RateLimit-Reset-Tokens': components['headers']['X-RateLimit-Reset-Tokens'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelEntryAnswer'];
        };
      };
      /** @description `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key`, `api_key_expired` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `api_key_suspended`, `api_key_revoked`, `model_not_allowed`, `model_not_available` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`, `route_not_found` */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `upstream_error` */
      502: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-GW-Upstream-Status': components['headers']['X-GW-Upstream-Status'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `capacity_exceeded`, `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modelAllowlistGet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Model id; slashes plain or percent-encoded.
         * @example gpt-4o-mini
         */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ModelAllowlistRow'];
        };
      };
      /** @description `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no policy row */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  modelAllowlistRemove: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        /**
         * @description Model id; slashes plain or percent-encoded.
         * @example gpt-4o-mini
         */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedModelPolicyResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no policy row */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
  adminModelsProbe: {
    parameters: {
      query?: never;
      header?: {
        /** @description The session's `csrf_token`. Only with the session cookie. */
        'X-CSRF-Token'?: string;
      };
      path: {
        /**
         * @description Model id; slashes plain or percent-encoded.
         * @example gpt-4o-mini
         */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProbedModelResponse'];
        };
      };
      /** @description `invalid_type`, `invalid_json`, `validation_error`, `bad_request` */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `missing_api_key`, `invalid_api_key` */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `forbidden` */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `not_found`: no model of the list has this id */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_timeout` */
      408: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `request_too_large` */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `rate_limit_exceeded` */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `headers_too_large` */
      431: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `internal_error` */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      /** @description `service_unavailable` */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
    };
  };
}
