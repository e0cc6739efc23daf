import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';

/** Fails for anything that axe finds, in the light theme and in the dark one. Leaves the page in the one it had. */
export async function expectAccessible(page: Page): Promise<void> {
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The page follows a moment later.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.evaluate(settled);
    // Of what is in order it would make a selector for every node, which takes it most of the time.
    const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`);
  }
  await page.emulateMedia({ colorScheme: wasDark ? 'dark' : 'light' });
  expect(found).toEqual([]);
}

/** Colours on their way from one theme to the other have no contrast. Runs in the page. */
async function settled(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
}
