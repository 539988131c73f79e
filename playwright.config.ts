import { defineConfig } from '@playwright/test';
import { lookForBrowser } from './scripts/browser.ts';

/** Processes for every window that no test needs: the popup under the address bar, and one in reserve. */
const unusedFeatures = [
  'AimEnabled',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];
/** Chromium heeds only the last such list, so what Playwright turns off for the sake of its own work stands here again. */
const featuresInTheWay = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const browser = lookForBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/journeys',
  reporter: [['list'], ['./scripts/test/playwrightReporter.ts']],
  // Only a journey that hangs takes so long, also on a machine that is busy with other work.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // A file is a bank of its own, and much of a journey is waiting: two cores carry three.
  workers: 3,
  fullyParallel: false,
  retries: 0,
  use: {
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-site-isolation-trials',
        `--disable-features=${[...unusedFeatures, ...featuresInTheWay].join()}`,
      ],
    },
    // A trace costs a quarter of a test's work: `npx playwright test --trace on <file>` where one is wanted.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
