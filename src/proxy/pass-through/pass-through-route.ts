import type { Type } from '@nestjs/common';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import type { ResponseConverter } from '../forward-plan.js';

type Declared = Partial<
  Pick<
    GatewayRouteSpec,
    | 'bodyBytesMax'
    | 'model'
    | 'modelIn'
    | 'requestsIn'
    | 'runsModelsOf'
    | 'defaultModelOf'
    | 'judgedAs'
    | 'usage'
    | 'usageOfAll'
    | 'laterUsage'
  >
>;

export interface PassThroughRoute extends Declared {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** IDs are in braces: `/v1/files/{file_id}`. Statistics use the same name (D15). */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /**
   * Default for a POST: `opaque`, which is not read and names no model. Only `json`, `multipart` and `either` can name one,
   * and `model` then defaults to `gated` (D9).
   */
  readonly body?: 'json' | 'multipart' | 'either' | 'upload' | 'streamed';
  /** The field that names a batch file. The gateway checks every model in it before it forwards the request. */
  readonly batchFileIn?: string;
  /** The response contains the provider's URL of a batch's results, which the gateway replaces with its own path. */
  readonly namesResults?: true;
  readonly query?: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;
  readonly takes?: Type;
  /** Default: a JSON object. `file` is bytes with a file name, `lines` is JSON Lines. */
  readonly gives?: Type | 'file' | 'zip' | 'lines';
  readonly streams?: true;
}

export interface PassThroughFamily extends Pick<GatewayRouteSpec, 'sharedPath' | 'enabledBy'> {
  readonly tag: string;
  readonly note: string;
  /** Documents the `OpenAI-Beta: assistants=v2` header. The gateway never requires it (D6). */
  readonly assistants?: boolean;
  readonly api?: GatewayRouteSpec['api'];
  readonly routes: readonly PassThroughRoute[];
}

/** The second group is the path below the base URL. */
const RESULTS_URL = /("results_url"\s*:\s*)"[^"\\]*(\/messages\/batches\/[A-Za-z0-9._:-]+\/results)"/g;

/**
 * Anthropic's SDKs request `results_url` with the gateway's API key, which the provider would receive and reject. The SDKs
 * resolve a path against their own base URL.
 */
export const OWN_RESULTS_URL: ResponseConverter = {
  buffered: (body) => [Buffer.from(body.toString('latin1').replace(RESULTS_URL, '$1"/v1$2"'), 'latin1')],
  stream: () => ({ push: (chunk) => [chunk], end: () => [] }),
};
