import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** The minified axe of the builder, which by default sends the full 1.5 MB to the page twice per analysis. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** The timeout of a test that calls `expectAccessible`: axe checks every node in both themes, which is slow. */
export const AXE_MS_MAX = 300_000;

/** Keeps the builder from sending axe again. */
const ALREADY_SENT = 'void 0';

/** The only rules whose result depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Fails on any axe violation in either theme. The page keeps its theme afterwards. */
export async function expectAccessible(page: Page): Promise<void> {
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const [own, other] = wasDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violations(own, axeOn(page), page);
  found.push(...(await violations(other, axeOn(page).withRules(COLOR_RULES), page)));
  await page.emulateMedia({ colorScheme: own });
  expect(found).toEqual([]);
}

async function violations(colorScheme: 'light' | 'dark', axe: AxeBuilder, page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // The page applies the theme asynchronously.
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await page.evaluate(settled);
  return (await axe.analyze()).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * Limits the results to violations, because axe would spend most of its time on selectors for passed nodes. Legacy mode
 * avoids an extra browser page that merges the results of frames, which the dashboard does not have.
 */
const axeOn = (page: Page) =>
  new AxeBuilder({ page, axeSource: ALREADY_SENT }).options({ resultTypes: ['violations'] }).setLegacyMode();

/** Waits for running animations, because colors in transition fail the contrast rule. Runs in the page. */
async function settled(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
}
