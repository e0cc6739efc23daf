import { CreateApiKeyRequest, UpdateApiKeyRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { BulkKeysRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { ResetQuotaRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { ListApiKeysRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { ListAuditLogsRequest } from '../../src/admin/audit/audit-logs.request.dto.js';
import { ListRequestLogsRequest } from '../../src/admin/logs/request-logs.request.dto.js';
import { ListModelAllowlistRequest } from '../../src/admin/model-allowlist/model-allowlist.request.dto.js';
import { SetModelPolicyRequest } from '../../src/admin/model-allowlist/model-allowlist.request.dto.js';
import {
  CreateOperatorRequest,
  SetPasswordRequest,
  UpdateOperatorRequest,
} from '../../src/admin/operators/operator.request.dto.js';
import { EndpointStatsRequest } from '../../src/admin/stats/statistics.request.dto.js';
import { KeyUsageRequest, UsageRequest } from '../../src/admin/usage/usage.request.dto.js';
import { CreateWebhookRequest, UpdateWebhookRequest } from '../../src/admin/webhooks/webhook.request.dto.js';
import { ChangePasswordRequest } from '../../src/dashboard/session.dto.js';
import { SignInRequest } from '../../src/dashboard/session.dto.js';
import { SpeechRequest } from '../../src/proxy/audio/speech.request.dto.js';
import { TranscriptionRequest } from '../../src/proxy/audio/transcription.request.dto.js';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { CompletionRequest } from '../../src/proxy/completions/completion.request.dto.js';
import { EmbeddingRequest } from '../../src/proxy/embeddings/embedding.request.dto.js';
import { ImageEditRequest, ImageGenerationRequest } from '../../src/proxy/images/images.request.dto.js';
import { MessageRequest } from '../../src/proxy/messages/message.request.dto.js';
import { ListModelsRequest } from '../../src/proxy/models/list-models.request.dto.js';
import { ResponseRequest } from '../../src/proxy/responses/response.request.dto.js';
import type { Dto } from '../../src/validation/field-rule.js';

export const PUBLIC_BODIES: Readonly<Record<string, Dto>> = {
  ...{ ChatCompletionRequest, CompletionRequest, MessageRequest, ResponseRequest, EmbeddingRequest },
  ...{ SpeechRequest, TranscriptionRequest, ImageGenerationRequest, ImageEditRequest },
};

export const OPERATOR_BODIES: Readonly<Record<string, Dto>> = {
  ...{ CreateApiKeyRequest, UpdateApiKeyRequest, BulkKeysRequest, ResetQuotaRequest, SetModelPolicyRequest },
  ...{ CreateOperatorRequest, UpdateOperatorRequest, SetPasswordRequest, CreateWebhookRequest, UpdateWebhookRequest },
  ...{ SignInRequest, ChangePasswordRequest },
};

export const PUBLIC_QUERIES: readonly Dto[] = [ListModelsRequest];
export const OPERATOR_QUERIES: readonly Dto[] = [
  ...[ListApiKeysRequest, ListAuditLogsRequest, ListRequestLogsRequest, ListModelAllowlistRequest],
  ...[EndpointStatsRequest, UsageRequest, KeyUsageRequest],
];
