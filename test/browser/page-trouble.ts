import type { Page, Response } from 'playwright-core';

/** Answers that mean no harm wherever they come: nobody is signed in yet. */
const USUAL = [/^401 GET \/dashboard\/session$/];

/**
 * What must not happen on any page: an error in the console (what the content security policy refuses is one), an uncaught
 * exception, a request to anybody but the gateway, a request that fails, an answer from 400 on that the spec does not
 * expect.
 */
export class PageTrouble {
  readonly found: string[] = [];

  /** @param expected answers that the spec provokes, as `404 GET /admin/api-keys/…` */
  constructor(
    page: Page,
    private readonly origin: string,
    private readonly expected: readonly RegExp[],
  ) {
    page.on('console', (message) => {
      // Answers are judged below, where their method is known.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      this.found.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.found.push(`exception: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      if (!this.isOwn(request.url())) this.found.push(`elsewhere: ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // The page itself has turned away.
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
    const answer = `${response.status()} ${response.request().method()} ${pathname}`;
    if (![...USUAL, ...this.expected].some((pattern) => pattern.test(answer))) this.found.push(`answer: ${answer}`);
  }
}
