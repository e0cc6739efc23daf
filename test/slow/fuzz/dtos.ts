import { CreateApiKeyRequest, UpdateApiKeyRequest } from '../../../src/admin/api-keys/api-key.request.dto.js';
import { BulkKeysRequest } from '../../../src/admin/api-keys/api-key.request.dto.js';
import { ResetQuotaRequest } from '../../../src/admin/api-keys/api-key.request.dto.js';
import { ListApiKeysRequest } from '../../../src/admin/api-keys/api-key.request.dto.js';
import { CreateLimitRequest } from '../../../src/admin/limits/limit.request.dto.js';
import { CreatePriceRequest } from '../../../src/admin/prices/price.request.dto.js';
import { ListAuditLogsRequest } from '../../../src/admin/audit/audit-logs.dto.js';
import { ListRequestLogsRequest } from '../../../src/admin/logs/request-logs.dto.js';
import { ListRequestsRequest } from '../../../src/admin/requests/requests.dto.js';
import {
  ListModelAllowlistRequest,
  SetModelPolicyRequest,
} from '../../../src/admin/model-allowlist/model-allowlist.dto.js';
import {
  CreateOperatorRequest,
  SetPasswordRequest,
  UpdateOperatorRequest,
} from '../../../src/admin/operators/operator.dto.js';
import { EndpointStatsRequest } from '../../../src/admin/stats/statistics.dto.js';
import { KeyUsageRequest, UsageRequest } from '../../../src/admin/usage/usage.dto.js';
import { CreateWebhookRequest, UpdateWebhookRequest } from '../../../src/admin/webhooks/webhook.dto.js';
import { ChangePasswordRequest } from '../../../src/admin/dashboard/session.dto.js';
import { SignInRequest } from '../../../src/admin/dashboard/session.dto.js';
import { SpeechRequest, TranscriptionRequest } from '../../../src/proxy/audio/audio.dto.js';
import { ChatCompletionRequest } from '../../../src/proxy/chat/chat-completion.dto.js';
import { CompletionRequest } from '../../../src/proxy/completions/completion.dto.js';
import { EmbeddingRequest } from '../../../src/proxy/embeddings/embedding.dto.js';
import { ImageEditRequest, ImageGenerationRequest } from '../../../src/proxy/images/images.dto.js';
import { MessageRequest } from '../../../src/proxy/messages/message.dto.js';
import { ListModelsRequest } from '../../../src/proxy/models/models.dto.js';
import { ResponseRequest } from '../../../src/proxy/responses/response.dto.js';
import type { Dto } from '../../../src/platform/validation/body-rules.js';

export const PUBLIC_BODIES: Readonly<Record<string, Dto>> = {
  ChatCompletionRequest,
  CompletionRequest,
  MessageRequest,
  ResponseRequest,
  EmbeddingRequest,
  SpeechRequest,
  TranscriptionRequest,
  ImageGenerationRequest,
  ImageEditRequest,
};

export const OPERATOR_BODIES: Readonly<Record<string, Dto>> = {
  CreateApiKeyRequest,
  UpdateApiKeyRequest,
  BulkKeysRequest,
  ResetQuotaRequest,
  SetModelPolicyRequest,
  CreateOperatorRequest,
  UpdateOperatorRequest,
  SetPasswordRequest,
  CreateWebhookRequest,
  UpdateWebhookRequest,
  SignInRequest,
  ChangePasswordRequest,
};

/** Bodies with nested objects, which services read with `acceptInput`. */
export const NESTED_BODIES: Readonly<Record<string, Dto>> = { CreateLimitRequest, CreatePriceRequest };

export const PUBLIC_QUERIES: readonly Dto[] = [ListModelsRequest];
export const OPERATOR_QUERIES: readonly Dto[] = [
  ListApiKeysRequest,
  ListAuditLogsRequest,
  ListRequestLogsRequest,
  ListRequestsRequest,
  ListModelAllowlistRequest,
  EndpointStatsRequest,
  UsageRequest,
  KeyUsageRequest,
];
