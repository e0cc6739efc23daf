import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** What another theme may change: everything else is the same in both. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Fails for anything that axe finds, in the page's own theme and in the other one. Leaves the page in the one it had. */
export async function expectAccessible(page: Page): Promise<void> {
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [own, other] = wasDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violations(own, axeOn(page), page);
  found.push(...(await violations(other, axeOn(page).withRules(RULES_OF_COLOUR), page)));
  await page.emulateMedia({ colorScheme: own });
  expect(found).toEqual([]);
}

async function violations(colorScheme: 'light' | 'dark', axe: AxeBuilder, page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // The page follows a moment later.
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await page.evaluate(settled);
  return (await axe.analyze()).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * Of what is in order axe would make a selector for every node, which takes it most of the time; but for its legacy mode it
 * would join the results of frames in a browser page of its own: this page has no frames.
 */
const axeOn = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

/** Colours on their way from one theme to the other have no contrast. Runs in the page. */
async function settled(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
}
