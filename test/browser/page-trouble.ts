import type { Page, Response } from 'playwright-core';

/** Error responses that every page can get before sign-in. */
const ALWAYS_EXPECTED = [/^401 GET \/dashboard\/session$/];

/**
 * Collects the problems of a page that fail a test:
 *
 * - console errors, including violations of the content security policy, and uncaught exceptions
 * - requests to other origins, and failed requests
 * - unexpected responses with a status of at least 400
 */
export class PageTrouble {
  readonly found: string[] = [];

  /** @param expected error responses that the test provokes, e.g. `404 GET /admin/api-keys/…` */
  constructor(
    page: Page,
    private readonly origin: string,
    private readonly expected: readonly RegExp[],
  ) {
    page.on('console', (message) => {
      // Error responses are checked below, because the console message lacks their method.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      this.found.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.found.push(`exception: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      if (!this.isOwn(request.url())) this.found.push(`elsewhere: ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // The page aborted the request itself.
      if (why !== 'net::ERR_ABORTED') this.found.push(`failed: ${request.method()} ${request.url()} ${why}`);
    });
    page.on('response', (response) => this.judge(response));
  }

  private isOwn(url: string): boolean {
    return url.startsWith(`${this.origin}/`) || /^(data|blob|about):/.test(url);
  }

  private judge(response: Response): void {
    if (response.status() < 400) return;
    const { pathname } = new URL(response.url());
    const failed = `${response.status()} ${response.request().method()} ${pathname}`;
    if (![...ALWAYS_EXPECTED, ...this.expected].some((pattern) => pattern.test(failed)))
      this.found.push(`response: ${failed}`);
  }
}
