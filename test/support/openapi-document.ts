import type { TestGateway } from './gateway.js';

export type Schema = Record<string, unknown>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<
      string,
      { readonly schema: Schema; readonly examples?: Record<string, { readonly value: unknown }> }
    >;
  };
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema: Schema }> }
  >;
}

export interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly securitySchemes: Record<string, Schema>;
  };
}

export const documentOf = async (gateway: TestGateway): Promise<Document> =>
  (await gateway.call<Document & Record<string, unknown>>('GET', '/openapi.json')).body;

/** Returns the operations by name, for example `POST /v1/files/{file_id}`. */
export const operationsOf = (document: Document): Map<string, Operation> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );

/** Returns the content type and the schema name of the body of `operation`, or undefined if it takes no body. */
export function bodyOf(operation: Operation): { readonly type: string; readonly schema: string } | undefined {
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  return body === undefined ? undefined : { type: body[0], schema: String(body[1].schema.$ref).split('/').at(-1)! };
}
