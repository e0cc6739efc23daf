import type { Type } from '@nestjs/common';

/** One route that is forwarded as it stands: a row of `pass-through.routes.data.ts`. */
export interface PassThroughRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the server's root, ids in braces: `/v1/files/{file_id}`. Statistics name it so too (D15). */
  readonly path: string;
  /** The operation's id in the API description, and the handler's name. */
  readonly name: string;
  readonly summary: string;
  /** Left out: a POST's body is not looked at, no other has one. `json`: its `model` goes through the gate (D9). */
  readonly body?: 'json' | 'upload';
  /** A body without one takes that of something shared: a key with a list of models has to name it (D9). */
  readonly model?: 'defaulted';
  /** Query parameters by name, as the API description tells them: none is checked here. */
  readonly query?: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;
  /** What the API description tells of the body. */
  readonly takes?: Type;
  /** What it tells of the answer; `file`: the bytes that were uploaded, under their name. */
  readonly gives: Type | 'file';
  /** The upstream answers with server-sent events where the body asks for it. */
  readonly streams?: true;
}

/** The routes of one kind of resource. */
export interface PassThroughFamily {
  readonly tag: string;
  /** Told of each of its routes. */
  readonly note: string;
  /** Of the assistants interface, whose clients send `OpenAI-Beta: assistants=v2`; it is forwarded, never demanded (D6). */
  readonly assistants: boolean;
  readonly routes: readonly PassThroughRoute[];
}
