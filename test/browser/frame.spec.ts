import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

const menuOn = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const entriesOn = (page: Page) => menuOn(page).getByRole('link').allTextContents();
const isOutOfReach = (page: Page) => page.evaluate(() => document.getElementById('menu')?.inert);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

describe('menu', () => {
  test('the menu offers operators only to owners', async () => {
    for (const role of ['viewer', 'admin', 'owner'] as const) {
      const page = await dashboard.signedIn(role, { path: '/nowhere' });
      await menuOn(page).getByRole('link', { name: 'Keys' }).waitFor();
      expect([role, (await entriesOn(page)).includes('Operators')]).toEqual([role, role === 'owner']);
    }
  });

  test('a menu entry opens its page with focus and title, and the back button returns', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/nowhere' });
    await menuOn(page).getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(await menuOn(page).locator('[aria-current=page]').allTextContents()).toEqual(['Keys']);
    expect([await focused(page), await page.title()]).toEqual(['content', 'Keys · Gateway']);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found · Gateway');
  });

  test('the first Tab stop is a link that skips the menu', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/nowhere' });
    await menuOn(page).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect([await focused(page), page.url()]).toEqual(['content', `${dashboard.gateway.url}/dashboard/nowhere`]);
  });
});

describe('menu on a phone', () => {
  test('the closed menu is inert, and its button, Escape and a selection open or close it', async () => {
    const page = await dashboard.signedIn('owner', { path: '/nowhere', viewport: PHONE });
    const burger = page.getByRole('button', { name: 'Menu' });
    await burger.waitFor();
    expect(await isOutOfReach(page)).toBe(true);
    await burger.click();
    expect(await isOutOfReach(page)).toBe(false);
    await menuOn(page).getByRole('link', { name: 'Operators' }).waitFor();
    await screenshot(page, 'menu-phone');
    await page.keyboard.press('Escape');
    expect(await isOutOfReach(page)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Menu');
    await burger.click();
    await menuOn(page).getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(await isOutOfReach(page)).toBe(true);
    expect(await isWiderThanScreen(page)).toBe(false);
  });
});

describe('theme', () => {
  test('the theme follows the system until the reader chooses one, which survives a reload', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/nowhere', scheme: 'dark' });
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await page.getByRole('button', { name: 'Switch to light mode' }).waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await page.getByRole('button', { name: 'Switch to dark mode' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Switch to dark mode' }).waitFor();
    expect(await scheme()).toBe('light');
  });
});

describe('accessibility of the frame', () => {
  test.each([
    ['on a desktop', undefined],
    ['on a phone', PHONE],
  ])('the page frame and the account menu are accessible in both themes %s', async (_where, viewport) => {
    const page = await dashboard.signedIn('owner', { path: '/nowhere', viewport });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `frame-${viewport === undefined ? 'desk' : 'phone'}`);
  });
});
