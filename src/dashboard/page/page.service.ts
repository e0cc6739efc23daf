import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, routeNotFound } from '../../errors/catalogue.js';
import { readPageFiles, type PageFile } from './page-files.js';
import { FILE_HEADERS, pageHeaders } from './page-headers.js';

/** Beside the compiled gateway; the sources run with what was built last. */
const BUILT = import.meta.url.endsWith('.ts') ? '../../../dist/dashboard/' : '../../../dashboard/';
/** Where the build has left room for it (`html.cspNonce` in vite.config.ts). */
const NONCE_MARK = /__CSP_NONCE__/g;
const NONCE_BYTES = 16;
const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;
const INDEX = 'index.html';

/**
 * Hands out the built page from memory. What is asked for is looked up among the files that are known and never turned
 * into a path. They are read at the first request; where there is no build it looks again at the next one.
 */
@Injectable()
export class PageService {
  /** Tests have builds of their own. */
  folder = fileURLToPath(new URL(BUILT, import.meta.url));
  private reading: ReturnType<typeof readPageFiles> | null = null;

  /** `/dashboard` itself: what the page refers to is below its folder. */
  toFolder(request: FastifyRequest, reply: FastifyReply): void {
    void reply.redirect(`/dashboard/${request.url.slice('/dashboard'.length)}`, 308);
  }

  /**
   * A file, or the page itself for every other address: the page knows what there is to see.
   * @throws GatewayError `route_not_found` for a file that is unknown, `not_found` where nothing has been built
   */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const files = await this.known();
    const index = files.get(INDEX);
    const path = request.url.slice('/dashboard/'.length).replace(/\?.*$/s, '');
    const file = files.get(path);
    if (file !== undefined && file !== index) return sendFile(file, request, reply);
    if (path !== INDEX && !isForReaders(path, request.headers.accept)) throw routeNotFound();
    if (index === undefined) {
      throw notFound('The dashboard has not been built: run "npm run build".');
    }
    sendPage(index, reply);
  }

  private async known(): Promise<ReadonlyMap<string, PageFile>> {
    const reading = (this.reading ??= readPageFiles(this.folder));
    const files = await reading.catch((error: unknown) => {
      this.reading = null;
      throw error;
    });
    // Nothing there, or a build under way.
    if (!files.has(INDEX)) this.reading = null;
    return files;
  }
}

/** Beside the page's addresses: files, which another build may have had, and the calls of the edge around it. */
const NO_ADDRESS = /^(assets|session|password)(\/|$)|\.[^/]*$/;

/** Whether somebody wants to see a page, and no script takes it for what it has asked for. */
function isForReaders(path: string, accept = '*/*'): boolean {
  return !NO_ADDRESS.test(path) && /text\/html|text\/\*|\*\/\*/i.test(accept);
}

/** Not kept by anybody, since each answer has a nonce of its own; it is a kilobyte. */
function sendPage({ type, bytes }: PageFile, reply: FastifyReply): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  void reply
    .headers({ ...pageHeaders(nonce), 'content-type': type, 'cache-control': 'no-cache' })
    .send(bytes.toString().replace(NONCE_MARK, nonce));
}

function sendFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    ...FILE_HEADERS,
    'content-type': file.type,
    'cache-control': file.hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : `public, max-age=${HOUR_SECONDS}`,
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (headers['if-none-match']?.includes(file.etag)) return void reply.code(304).send();
  if (file.gzip === null || !takesGzip(headers['accept-encoding'])) return void reply.send(file.bytes);
  void reply.header('content-encoding', 'gzip').send(file.gzip);
}

/** `gzip`, and not with a weight of nothing. */
const takesGzip = (encodings: unknown): boolean =>
  typeof encodings === 'string' && /(^|[\s,])gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(encodings);
