import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

/** Chromium features that start extra processes no test needs: the address bar popup and the spare renderer. */
const unusedFeatures = [
  'AimEnabled',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];
/** Chromium uses only the last --disable-features, so this repeats the features that Playwright disables. */
const disabledByPlaywright = [
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

const browser = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/preparedBank.ts',
  outputDir: 'test-results/journeys',
  reporter: [['list'], ['./scripts/test/playwrightReporter.ts']],
  // Even on a busy machine, only a test that hangs takes this long.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // Each file starts its own bank and mostly waits, so two cores can run three files.
  workers: 3,
  fullyParallel: false,
  retries: 0,
  use: {
    // A worker would make the requests for pages, and tests that hold or change a request would not see it.
    serviceWorkers: 'block',
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
        `--disable-features=${[...unusedFeatures, ...disabledByPlaywright].join()}`,
      ],
    },
    // A trace adds a quarter to a test's CPU time; for one, run `npx playwright test --trace on <file>`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
