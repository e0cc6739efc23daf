import type { Type } from '@nestjs/common';
import type { GatewayRouteSpec } from '../../routes/route-spec.js';
import type { ResponseConverter } from '../forward-plan.js';

/** Properties with the meaning and the defaults of `@GatewayRoute`. */
type Declared = Partial<
  Pick<GatewayRouteSpec, 'bodyBytesMax' | 'model' | 'modelIn' | 'judgedAs' | 'usage' | 'usageOfAll' | 'notIds'>
>;

/** One route that is forwarded unchanged: a row of a table of routes. */
export interface PassThroughRoute extends Declared {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path below the server's root with ids in braces: `/v1/files/{file_id}`. Statistics use the same name (D15). */
  readonly path: string;
  /** The operation's id in the API description, and the handler's name. */
  readonly name: string;
  readonly summary: string;
  /**
   * The kind of a POST's body. Default: it is not read (`opaque`), and it names no model. A body that can name a model is `json`,
   * `multipart` or `either`; its `model` is `gated` unless the row says otherwise (D9).
   */
  readonly body?: 'json' | 'multipart' | 'either' | 'upload' | 'streamed';
  /** The body's field that names a batch file. The gateway checks every model in that file before it forwards the request. */
  readonly batchFileIn?: string;
  /** The response names the provider's URL of a batch's results; the client gets the gateway's path instead. */
  readonly namesResults?: true;
  /** Query parameters by name, for the API description. They are forwarded unchecked. */
  readonly query?: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;
  /** The body in the API description. */
  readonly takes?: Type;
  /** The response in the API description. Default: a JSON object. `file`: bytes with their file name. `lines`: JSON lines. */
  readonly gives?: Type | 'file' | 'lines';
  /** The upstream answers with server-sent events if the body asks for it. */
  readonly streams?: true;
}

/** The routes of one kind of resource. */
export interface PassThroughFamily extends Pick<GatewayRouteSpec, 'sharedPath' | 'enabledBy'> {
  readonly tag: string;
  /** Part of the description of each route. */
  readonly note: string;
  /** Clients of the assistants interface send `OpenAI-Beta: assistants=v2`. The gateway forwards it and never requires it (D6). */
  readonly assistants?: boolean;
  /** Default: `default`. */
  readonly upstream?: GatewayRouteSpec['upstream'];
  readonly routes: readonly PassThroughRoute[];
}

/** The provider's URL of a message batch's results, without its end. */
const RESULTS_URL = /("results_url"\s*:\s*)"[^"\\]*(\/messages\/batches\/[A-Za-z0-9._:-]+\/results)"/g;

/**
 * Replaces the provider's URL of a batch's results by the gateway's path. Anthropic's SDKs request that URL with the client's key:
 * the provider would get a gateway key, and the client 401. The SDKs resolve a path against their own base URL.
 */
export const OWN_RESULTS_URL: ResponseConverter = {
  buffered: (body) => [Buffer.from(body.toString('latin1').replace(RESULTS_URL, '$1"/v1$2"'), 'latin1')],
  stream: () => ({ push: (chunk) => [chunk], end: () => [] }),
};
