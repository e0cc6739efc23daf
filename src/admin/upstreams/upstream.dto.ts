import { ApiProperty } from '@nestjs/swagger';
import { APIS, type Api, type FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import type { UpstreamsReloads } from '../../platform/config/upstreams/upstreams-source.js';
import type { UpstreamState, UpstreamTest } from '../../upstream/routing/upstream-states.service.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import type { CacheUse } from '../../stats/cost-recorder.service.js';
import { Page, pageOf } from '../page.dto.js';
import { COUNT } from '../fields.data.js';

type Status = UpstreamState['status'];

const STATUSES = [
  'ready',
  'limited',
  'failing',
  'refused',
  'unreachable',
  'draining',
] as const satisfies readonly Status[];
const TIME = { type: 'string', format: 'date-time', nullable: true, example: '2026-07-01T12:00:00.000Z' } as const;
/** Processes do not share these figures. */
const OF_PROCESS = 'Only in the process that responded.';

class LastErrorResponse {
  @ApiProperty({ format: 'date-time', example: '2026-07-01T12:00:00.000Z' })
  at: Date;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 401,
    description:
      'null without a response. An error inside a response with status 200 has the status that it stands for.',
  })
  status: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'gpt-5', description: 'null for a request without a model.' })
  model: string | null;

  @ApiProperty({
    example: 'Incorrect API key provided',
    maxLength: 500,
    description: "The provider's message, or the reason why there was no response. Credentials are removed.",
  })
  message: string;
}

class FallbackCounts implements Record<FallbackReason, number> {
  @ApiProperty({ ...COUNT, example: 3, description: 'Requests that were too long for the requested model.' })
  context_length: number;

  @ApiProperty({ ...COUNT, example: 0, description: 'Requests that a content filter rejected.' })
  content_filter: number;
}

export class UpstreamResponse {
  @ApiProperty({ example: 'openai', maxLength: 63, description: 'Name in the `GW_UPSTREAMS` file.' })
  name: string;

  @ApiProperty({ example: 'https://api.openai.com/v1' })
  base_url: string;

  @ApiProperty({ enum: APIS, isArray: true, example: ['openai'], description: 'Formats of requests that it accepts.' })
  apis: readonly Api[];

  @ApiProperty({
    enum: STATUSES,
    example: 'ready',
    description: `\`limited\`: its rate limits or failures reduce its share. \`failing\`: it fails to serve requests. \`refused\`: the provider rejects the account or a model. \`unreachable\`: the circuit breaker is open. \`draining\`: an operator drains it. Except for \`draining\`: ${OF_PROCESS}`,
  })
  status: Status;

  @ApiProperty({ ...TIME, example: null, description: 'Null if it is not draining.' })
  draining_since: Date | null;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: 42,
    description: 'Number of models that it serves, including aliases. Null until its model list has been read.',
  })
  models: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { fast: 'gpt-5-mini' },
    description: 'Names that clients can send, with the model that the gateway sends to the upstream.',
  })
  aliases: Readonly<Record<string, string>>;

  @ApiProperty({ type: String, nullable: true, example: 'eu-west-1' })
  region: string | null;

  @ApiProperty({ type: [String], example: ['production'] })
  tags: readonly string[];

  @ApiProperty({ ...COUNT, example: 4, description: `Open connections. ${OF_PROCESS}` })
  connections: number;

  @ApiProperty({ ...COUNT, example: 3, description: `Requests that use a connection. ${OF_PROCESS}` })
  running: number;

  @ApiProperty({ ...COUNT, example: 0, description: `Requests that wait for a connection. ${OF_PROCESS}` })
  waiting: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    example: 1,
    description: `Share of its requests that it gets: 1 for all of them. It is the lowest share of its models. ${OF_PROCESS}`,
  })
  share: number;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: 480,
    description: `Recent average time to its response headers, in milliseconds. Null before the first response. ${OF_PROCESS}`,
  })
  latency_ms: number | null;

  @ApiProperty({ ...COUNT, example: 1200, description: `Requests that were sent to it. ${OF_PROCESS}` })
  attempts: number;

  @ApiProperty({
    ...COUNT,
    example: 2,
    description: `Requests that moved from it to another upstream. ${OF_PROCESS}`,
  })
  failovers: number;

  @ApiProperty({
    type: FallbackCounts,
    description: `Requests that it got because of the fallback model of a route, by the reason. ${OF_PROCESS}`,
  })
  fallbacks: FallbackCounts;

  @ApiProperty({
    type: LastErrorResponse,
    nullable: true,
    description: `The last failure that reduced its share, even if it has recovered. null without one. ${OF_PROCESS}`,
  })
  last_error: LastErrorResponse | null;

  @ApiProperty({ ...COUNT, example: 52000, description: `Input tokens, including cached ones. ${OF_PROCESS}` })
  input_tokens: number;

  @ApiProperty({
    ...COUNT,
    example: 31200,
    description: `Input tokens that the provider read from its prompt cache. ${OF_PROCESS}`,
  })
  cached_tokens: number;

  @ApiProperty({
    example: '0.039',
    description: `How much less the cached tokens cost than other input tokens, in US dollars. ${OF_PROCESS}`,
  })
  cache_saved: string;

  static of({ baseUrl, apis, drainingSince, ...state }: UpstreamState, cache: CacheUse): UpstreamResponse {
    return {
      name: state.name,
      base_url: baseUrl,
      apis,
      status: state.status,
      draining_since: drainingSince,
      models: state.models,
      aliases: state.aliases,
      region: state.region,
      tags: state.tags,
      connections: state.connections,
      running: state.running,
      waiting: state.waiting,
      share: state.share,
      latency_ms: state.latencyMs,
      attempts: state.attempts,
      failovers: state.failovers,
      fallbacks: state.fallbacks,
      last_error: state.lastError,
      input_tokens: cache.inputTokens,
      cached_tokens: cache.cachedTokens,
      cache_saved: formatNanos(BigInt(Math.round(cache.savedNanos))),
    };
  }
}

export class UpstreamListResponse extends Page {
  @ApiProperty({
    ...TIME,
    description: 'When the process read the file in use. Null with a single account (no `GW_UPSTREAMS`).',
  })
  loaded_at: Date | null;

  @ApiProperty({
    example: false,
    description: 'Whether the newest content of the file is invalid, so that an older one is in use.',
  })
  reload_failed: boolean;

  @ApiProperty({ type: [UpstreamResponse], description: 'In the order of the file. Empty with a single account.' })
  upstreams: UpstreamResponse[];

  static of(
    all: readonly UpstreamState[],
    cacheUseOf: (upstream: string) => CacheUse,
    reloads: Pick<UpstreamsReloads, 'loadedAt' | 'failed'> | null,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): UpstreamListResponse {
    const shown = all.slice(offset, offset + limit).map((state) => UpstreamResponse.of(state, cacheUseOf(state.name)));
    return {
      ...pageOf(all.length, offset, shown.length),
      loaded_at: reloads?.loadedAt ?? null,
      reload_failed: reloads?.failed ?? false,
      upstreams: shown,
    };
  }
}

export class TestedUpstreamResponse {
  @ApiProperty({
    example: true,
    description:
      'Whether the provider returned its model list, and no process sees that it refuses or fails requests of clients.',
  })
  ok: boolean;

  @ApiProperty({ type: 'integer', nullable: true, example: 200, description: 'Null if there was no response.' })
  status: number | null;

  @ApiProperty({ ...COUNT, example: 180 })
  latency_ms: number;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: 42,
    description: 'Number of models on the first page of the list.',
  })
  models: number | null;

  @ApiProperty({ example: 'The upstream returned its model list.' })
  message: string;

  static of({ latencyMs, ...test }: UpstreamTest): TestedUpstreamResponse {
    return { ok: test.ok, status: test.status, latency_ms: latencyMs, models: test.models, message: test.message };
  }
}
