import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PageService } from '../../src/admin/dashboard/page/page.service.js';
import { TestGateway } from '../support/gateway.js';
import { OperatorSession, type Role } from '../support/operator-session.js';
import { launchChromium } from './chromium.js';
import { PageTrouble } from './page-trouble.js';

const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 375, height: 812 };
/** The timeout of a browser step is generous, because other work can share the machine. */
const STEP_MS_MAX = 30_000;

interface Opening {
  /** The path below `/dashboard`, with its leading slash. */
  readonly path?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly scheme?: 'light' | 'dark';
  /** Expected error responses, for example `404 GET /admin/api-keys/…`. Any other error response fails the test. */
  readonly expects?: readonly RegExp[];
}

/** Pages that the current test opened, with their problems. */
const opened: { readonly context: BrowserContext; readonly trouble: PageTrouble }[] = [];

// Applies to every spec that imports this file: pages are closed after each test, and any problem on them fails it.
afterEach(async () => {
  const done = opened.splice(0);
  await Promise.all(done.map(({ context }) => context.close()));
  expect(done.flatMap(({ trouble }) => trouble.found)).toEqual([]);
});

/** A gateway with the built dashboard, and a browser. */
export class Dashboard {
  private readonly sessions = new Map<Role, Promise<OperatorSession>>();

  private constructor(
    readonly gateway: TestGateway,
    private readonly browser: Browser,
  ) {}

  /** @param env settings of the gateway by variable name */
  static async start(env: Record<string, string> = {}): Promise<Dashboard> {
    const browser = await launchChromium();
    try {
      const gateway = await TestGateway.start({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', ...env });
      const built = process.env.DASHBOARD_FOLDER;
      if (built !== undefined) gateway.app.get(PageService).folder = resolve(built);
      return new Dashboard(gateway, browser);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.gateway.stop();
  }

  /** Returns a session of an operator with this role, the same one for every call. */
  operator(role: Role): Promise<OperatorSession> {
    let session = this.sessions.get(role);
    if (session === undefined) {
      session = OperatorSession.of(this.gateway, role);
      this.sessions.set(role, session);
      session.catch(() => this.sessions.delete(role));
    }
    return session;
  }

  /** Opens a page as an operator with this role, in a separate browser context. */
  async signedIn(role: Role, opening: Opening = {}): Promise<Page> {
    return this.as(await this.operator(role), opening);
  }

  async as(session: OperatorSession, opening: Opening = {}): Promise<Page> {
    const page = await this.blank(opening);
    await page.context().addCookies([this.cookieOf(session)]);
    return this.visit(page, opening);
  }

  async open(opening: Opening = {}): Promise<Page> {
    return this.visit(await this.blank(opening), opening);
  }

  /** Opens another tab in the browser context of `page`. */
  async tabBeside(page: Page, opening: Opening = {}): Promise<Page> {
    return this.visit(await this.watched(page.context(), opening), opening);
  }

  cookieOf({ token }: OperatorSession) {
    const { url } = this.gateway;
    return { name: 'gw_admin_session', value: token, url, httpOnly: true, secure: true, sameSite: 'Lax' as const };
  }

  private async blank(opening: Opening): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: opening.viewport ?? DESKTOP,
      colorScheme: opening.scheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(STEP_MS_MAX);
    return this.watched(context, opening);
  }

  private async watched(context: BrowserContext, { expects = [] }: Opening): Promise<Page> {
    const page = await context.newPage();
    opened.push({ context, trouble: new PageTrouble(page, this.gateway.url, expects) });
    return page;
  }

  private async visit(page: Page, { path = '/' }: Opening): Promise<Page> {
    await page.goto(`${this.gateway.url}/dashboard${path}`);
    return page;
  }
}

export const startDashboard = (env: Record<string, string> = {}): Promise<Dashboard> => Dashboard.start(env);

/** Saves a screenshot if `BROWSER_SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.BROWSER_SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
