import { chromium, type Browser } from 'playwright-core';

/** `tools/test-browser.js` sets `CHROMIUM`. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts a browser that sends no requests in the background. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
