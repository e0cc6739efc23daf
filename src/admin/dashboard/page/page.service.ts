import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, routeNotFound } from '../../../platform/errors/error-factories.js';
import { readPageFiles, type PageFile } from './page-files.js';
import { FILE_HEADERS, pageHeaders } from './page-headers.js';

/** The build is next to the compiled gateway. The TypeScript sources use the latest build. */
const BUILD_PATH = import.meta.url.endsWith('.ts') ? '../../../../dist/dashboard/' : '../../../../dashboard/';
/** Placeholder that the build writes for the nonce (`html.cspNonce` in vite.config.ts). */
const NONCE_MARK = /__CSP_NONCE__/g;
const NONCE_BYTES = 16;
const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;
const INDEX = 'index.html';

/**
 * Serves the built page from memory. Requested names are looked up among the known files and never used as a file system path.
 * The files are read on the first request.
 */
@Injectable()
export class PageService {
  folder = fileURLToPath(new URL(BUILD_PATH, import.meta.url));
  private reading: ReturnType<typeof readPageFiles> | null = null;

  /** Redirects `/dashboard` to `/dashboard/`, because the page's references are relative to that folder. */
  toFolder(request: FastifyRequest, reply: FastifyReply): void {
    void reply.redirect(`/dashboard/${request.url.slice('/dashboard'.length)}`, 308);
  }

  /** Sends a file, or the page for any other path. @throws GatewayError `route_not_found`, or `not_found` without a build */
  async response(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const files = await this.load();
    const index = files.get(INDEX);
    const path = request.url.slice('/dashboard/'.length).replace(/\?.*$/s, '');
    const file = files.get(path);
    if (file !== undefined && file !== index) return sendFile(file, request, reply);
    if (path !== INDEX && !wantsPage(path, request.headers.accept)) throw routeNotFound();
    if (index === undefined) {
      throw notFound('The dashboard has not been built. Run "npm run build".');
    }
    sendPage(index, reply);
  }

  private async load(): Promise<ReadonlyMap<string, PageFile>> {
    const reading = (this.reading ??= readPageFiles(this.folder));
    const files = await reading.catch((error: unknown) => {
      this.reading = null;
      throw error;
    });
    // No build exists yet, or a build is running. The next request tries again.
    if (!files.has(INDEX)) this.reading = null;
    return files;
  }
}

/** Paths that the page does not route: files, including those of other builds, and the API routes of /dashboard. */
const NOT_PAGE = /^(assets|session|password)(\/|$)|\.[^/]*$/;

/** Whether the request is for the page. A script must not get the page instead of the file that it requested. */
function wantsPage(path: string, accept = '*/*'): boolean {
  return !NOT_PAGE.test(path) && /text\/html|text\/\*|\*\/\*/i.test(accept);
}

/** The page is about 1 KB. It must not be cached, because each response has its own nonce. */
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
  if (file.gzip === null || !acceptsGzip(headers['accept-encoding'])) return void reply.send(file.bytes);
  void reply.header('content-encoding', 'gzip').send(file.gzip);
}

const acceptsGzip = (encodings: unknown): boolean =>
  typeof encodings === 'string' && /(^|[\s,])gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(encodings);
