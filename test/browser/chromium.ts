import { chromium, type Browser } from 'playwright-core';

/** Named by tools/test-browser.js, or by whoever runs a spec by hand. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A browser that asks nobody for anything of its own accord. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      ...['--disable-quic', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    ],
  });
