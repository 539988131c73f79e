/**
 * The public site in a real browser: every page in both color schemes, every link and button, the moving parts of the home
 * page, and pages without JavaScript.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { bank as bankFacts, carousel, contact } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as insuranceMessages from '#contract/messages/insurance.ts';
import { startBankForFile } from './bank.ts';
import { countScripts, expectHydrated, holdRequests, scrollThrough, settle, stopClock } from './visit.ts';
import { collectErrors, expectAccessible, expectAccessibleInBothSchemes } from './watch.ts';

/** `web`: the folder of the built web app. `sitemap`: its sitemap, in which the server replaces `{origin}`. */
const web = realpathSync(fileURLToPath(new URL('../../dist/web', import.meta.url)));
const sitemap = readFileSync(join(web, '../addressed/sitemap.xml'), 'utf8');
/** Every page of the sitemap, the alternative paths of two of them, and one page that is not listed. */
const addresses = [
  ...[...sitemap.matchAll(/<loc>\{origin\}([^<]*)<\/loc>/g)].map(([, address = '']) => address),
  '/private-policy',
  '/anti-laundering',
  '/forgot-password',
];

const bank = startBankForFile();

test.use({ viewport: { width: 1440, height: 900 } });
// This file has 40 percent of all journeys, so several workers run it in parallel, each with its own bank.
test.describe.configure({ mode: 'parallel' });

type Faults = { reports: string[]; shifts: string[] };

/** Records policy violations and layout shifts of every page from its start. */
async function recordFaults(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const faults: Faults = { reports: [], shifts: [] };
    Object.assign(window, { faults });
    document.addEventListener('securitypolicyviolation', event =>
      faults.reports.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Element | null }[];
    };
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput && value > 0.005)
          faults.shifts.push(
            `${value} ${sources.map(({ node }) => node?.className ?? node?.nodeName).join()}`,
          );
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as { faults: Faults }).faults);

/** Fetches with Brotli as a browser does; `bytes` is the size on the wire, including headers. */
async function fetchRaw(url: string): Promise<{ bytes: number; text: string }> {
  const request = get(url, { headers: { 'accept-encoding': 'br' } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  const head = answer.rawHeaders.reduce((sum, part) => sum + part.length + 2, 'HTTP/1.1 200 OK'.length + 4);
  expect(answer.statusCode).toBe(200);
  const isCompressed = answer.headers['content-encoding'] === 'br';
  return { bytes: head + body.length, text: isCompressed ? brotliDecompressSync(body).toString() : '' };
}

/** Presses a key, which starts the app at once. Without a key press, the app starts when the browser is idle. */
async function startApp(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await expectHydrated(page);
}

async function startCarousel(page: Page) {
  const resources = page.locator('#services');
  await resources.scrollIntoViewIfNeeded();
  await expect(resources.locator('.ArticleCarousel')).toHaveClass(/is-live/);
  return resources;
}

/** Opens the home page and waits until its carousel runs. */
async function openCarousel(page: Page) {
  await page.goto(`${bank.url}/`);
  return await startCarousel(page);
}

test.describe('every public page', () => {
  test.describe(() => {
    // All addresses share one page, because a context for each would take as much processor time as its test.
    let page: Page;
    let expectErrors: () => void;
    test.beforeAll(async ({ browser }) => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      await recordFaults(context);
      page = await context.newPage();
      expectErrors = collectErrors(page);
    });
    test.afterAll(() => page.context().close());

    for (const address of addresses) {
      test(`${address} has no errors or layout shifts, is accessible in both color schemes, and fits its window [R-02, R-03, R-04, R-05, R-19, R-20, R-21, R-22, R-26, P-12, P-16, P-17, P-18]`, async () => {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.emulateMedia({ colorScheme: 'light' });
        expect((await page.goto(bank.url + address))?.status()).toBe(200);
        await expectHydrated(page);
        await scrollThrough(page);
        await page.waitForLoadState('networkidle');
        await expect(page.locator('h1')).toHaveCount(1);
        await expect(page.locator('header.TopBar')).toBeVisible();
        await expectAccessibleInBothSchemes(page);
        expect(await faultsOf(page)).toEqual({ reports: [], shifts: [] });
        // The footer and the loans cut off what is too wide, so the page's own width would not show it.
        const over = () =>
          page.evaluate(() => {
            const boxes = [
              document.documentElement,
              ...document.querySelectorAll('.Footer-inside, .LoanCards'),
            ];
            return Math.max(...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
          });
        for (const width of [768, 320]) {
          await page.setViewportSize({ width, height: 700 });
          await expect.poll(over, { message: `at ${width}` }).toBe(0);
          const bar = () => page.locator('header.TopBar').evaluate(element => element.clientHeight);
          await expect.poll(bar, { message: `one line at ${width}` }).toBeLessThan(80);
        }
        await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
        await expect.poll(over, { message: 'at twice the text size' }).toBe(0);
        expectErrors();
      });
    }
  });

  test('with long headings has no layout shifts when its fonts arrive late [R-41]', async ({ browser }) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await recordFaults(context);
    const page = await context.newPage();
    let painted = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async route => {
      await painted.promise;
      await route.continue();
    });
    // The worst case is text that wraps differently before its font has loaded, so these pages have long headings and leads.
    for (const [address, width] of [
      ['/', 1440],
      ['/event', 1440],
      ['/event/first-home', 1440],
      ['/privacy-policy', 1440],
      ['/resources/payment-schedule', 1440],
      ['/resources/payment-schedule', 360],
      ['/event/fraud-clinic', 360],
      ['/login', 360],
    ] as const) {
      painted = Promise.withResolvers<void>();
      await page.setViewportSize({ width, height: 900 });
      await page.goto(bank.url + address, { waitUntil: 'commit' });
      const isPainted = () => performance.getEntriesByName('first-contentful-paint').length > 0;
      await page.waitForFunction(isPainted);
      const areLoaded = () => page.evaluate(() => document.fonts.status === 'loaded');
      expect(await areLoaded()).toBe(false);
      painted.resolve();
      await expect.poll(areLoaded).toBe(true);
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
      expect((await faultsOf(page)).shifts, `${address} at ${width} px`).toEqual([]);
    }
    await context.close();
  });

  test('with a form for login, registration or a new password has no layout shifts while its HTML arrives piece by piece [R-41]', async ({
    browser,
  }) => {
    const slow = createServer(async (request, response) => {
      const answer = await fetch(bank.url + request.url);
      const type = answer.headers.get('content-type') ?? '';
      response.writeHead(answer.status, { 'content-type': type });
      const body = Buffer.from(await answer.arrayBuffer());
      const bytes = type.startsWith('text/html') ? 1024 : body.length;
      for (let at = 0; at < body.length; at += bytes) {
        response.write(body.subarray(at, at + bytes));
        await sleep(50);
      }
      response.end();
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await recordFaults(context);
    const page = await context.newPage();
    for (const address of ['/login', '/register', '/forgot-password', '/admin/login']) {
      await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}${address}`);
      await expectHydrated(page);
      expect((await faultsOf(page)).shifts, address).toEqual([]);
    }
    await context.close();
    slow.close();
    slow.closeAllConnections();
  });

  test('fits into TCP’s initial congestion window, and so does each font with the characters of English', async () => {
    // Ten packets, minus a reserve for what is added in production: TLS records, and headers of HTTPS and of a proxy.
    const firstPackets = 10 * 1460 - 250;
    const fonts = readdirSync(join(web, 'assets')).filter(name =>
      /^(newsreader|figtree)[-\w]*\.woff2$/.test(name),
    );
    for (const file of fonts.filter(name => !/latin|more/.test(name)))
      expect((await fetchRaw(`${bank.url}/assets/${file}`)).bytes, file).toBeLessThan(firstPackets);
    for (const address of addresses) {
      const page = await fetchRaw(bank.url + address);
      expect(page.bytes, address).toBeLessThan(firstPackets);
      const preloaded = [...page.text.matchAll(/<link rel="preload" href="\/assets\/([^"]*)" as="font"/g)];
      expect(preloaded).toHaveLength(2);
      for (const [, file] of preloaded) expect(fonts).toContain(file);
    }
  });

  test('is counted from a sitemap that the bank serves with its own origin', async () => {
    const served = await (await fetch(`${bank.url}/sitemap.xml`)).text();
    expect(served).toBe(sitemap.replaceAll('{origin}', bank.url));
    expect(addresses.length).toBeGreaterThan(35);
  });

  test('has its own title, description and canonical URL, and a social card', async ({ page }) => {
    const seen = new Map<string, string>();
    for (const address of addresses) {
      const html = await (await fetch(bank.url + address)).text();
      const title = /<title>(.*?)<\/title>/.exec(html)?.[1];
      const description = /<meta name="description" content="(.*?)"/.exec(html)?.[1];
      expect(title, address).toMatch(/Larkspur/);
      expect(description?.length, address).toBeGreaterThan(25);
      if (address === '/forgot-password') continue;
      const canonical = /<link rel="canonical" href="(.*?)"/.exec(html)?.[1] ?? '';
      const card = /<meta property="og:image" content="(.*?)"/.exec(html)?.[1] ?? '';
      expect(canonical.startsWith(bank.url) && card.startsWith(bank.url), `${canonical} ${card}`).toBe(true);
      expect((await fetch(card)).headers.get('content-type')).toBe('image/png');
      const key = `${title} ${description}`;
      expect(seen.get(key) ?? canonical, key).toBe(canonical);
      seen.set(key, canonical);
      for (const [, data = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g))
        expect(JSON.parse(data)).toMatchObject({
          '@context': 'https://schema.org',
          '@type': expect.any(String),
        });
    }
    for (const [file, type] of [
      ['/favicon.ico', /icon/],
      ['/favicon.svg', /svg/],
      ['/apple-touch-icon.png', /png/],
      ['/site.webmanifest', /manifest/],
      ['/robots.txt', /plain/],
    ] as const)
      expect((await page.request.get(bank.url + file)).headers()['content-type'], file).toMatch(type);
  });

  test('with only text has its own picture at the top, and Benefits and Methods have a diagram [P-22]', async ({
    page,
  }) => {
    const pathOf = new Map<string, string>();
    for (const path of [
      '/about',
      '/coverage',
      '/benefits',
      '/methods',
      '/privacy-policy',
      '/terms-and-conditions',
      '/anti-laundering',
    ]) {
      const html = await (await fetch(bank.url + path)).text();
      const picture = /<h1>.*?<img src="([^"]+)"/s.exec(html)?.[1] ?? '';
      expect(pathOf.get(picture) ?? path, `${picture} is on ${path} too`).toBe(path);
      pathOf.set(picture, path);
      const drawing = await fetch(bank.url + picture);
      expect(drawing.headers.get('content-type'), path).toContain('svg');
      expect(await drawing.text(), path).toMatch(/<title>.{10,}<\/title>/);
    }

    await page.goto(`${bank.url}/benefits`);
    const sections = await page.locator('.PlainPage h2').allInnerTexts();
    expect(sections.length).toBeGreaterThan(5);
    await expect(page.getByRole('figure').locator('li b')).toHaveText(sections);

    await page.goto(`${bank.url}/methods`);
    const ways = page.getByRole('figure', { name: 'The numbers count the business days' });
    const arrivalsOf = (way: string) =>
      ways.locator('li', { hasText: way }).locator('.DaysDiagram-arrival').allInnerTexts();
    expect(await arrivalsOf('To a Larkspur account')).toEqual(['Today']);
    expect(await arrivalsOf('To any other bank')).toEqual(['3', '4', '5', '6', '7']);
  });

  test('has only links to existing pages and anchors [R-30, R-34, R-35, H-08]', async ({ page }) => {
    const targets = new Map<string, string>();
    for (const address of addresses) {
      const html = await (await fetch(bank.url + address)).text();
      const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
      for (const [, raw = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const href = raw.replaceAll('&amp;', '&');
        if (href.startsWith('#')) expect(ids, `${href} on ${address}`).toContain(href.slice(1));
        else if (!/^(mailto|tel):/.test(href)) targets.set(href, address);
      }
    }
    for (const required of [
      '/',
      '/about',
      '/business',
      '/contact',
      '/login',
      '/coverage',
      '/benefits',
      '/methods',
      '/privacy-policy',
      '/terms-and-conditions',
      '/anti-laundring',
      '/event',
    ])
      expect([...targets.keys()]).toContain(required);
    for (const [target, from] of targets) {
      const { pathname, hash } = new URL(target, bank.url);
      const answer = await page.request.get(bank.url + target);
      expect(answer.status(), `${target} on ${from}`).toBe(200);
      const html = await answer.text();
      if (hash) expect(html, `${target} on ${from}`).toContain(`id="${hash.slice(1)}"`);
      if (/^\/(dashboard|admin)/.test(pathname) || pathname.endsWith('.pdf')) continue;
      expect(html, `${target} on ${from}`).not.toContain(appMessages.notFoundTitle);
    }
    expect(targets.size).toBeGreaterThan(40);
  });

  test('opens from every link of the header and footer without a reload [R-01, R-30, R-31, R-34]', async ({
    page,
  }) => {
    const expectErrors = collectErrors(page);
    await page.goto(bank.url);
    await startApp(page);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const links = page.locator('.TopBar a:visible, .Footer a[href^="/"]');
    const count = await links.count();
    expect(count).toBeGreaterThan(15);
    for (let index = 0; index < count; index++) {
      const link = links.nth(index);
      const href = (await link.getAttribute('href')) ?? '';
      await link.click();
      await expect(page).toHaveURL(bank.url + href);
      await expect(page.locator('h1')).toHaveCount(1);
      await expect(page.getByText(appMessages.notFoundTitle)).toHaveCount(0);
      if (href === '/login' || href === '/register') await page.goBack();
    }
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expectErrors();
  });

  test('has no button that does nothing [R-35]', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    let clicked = 0;
    // The buttons of the auth pages are tested in other journeys.
    const authPages = ['/login', '/register', '/forgot-password'];
    // This article has no button of its own. So on it, only those of the frame are clicked.
    const withButtons = ['/resources/six-digits'];
    for (const address of addresses.filter(path => !authPages.includes(path))) {
      const html = await (await fetch(bank.url + address)).text();
      if (/<main.*<button.*<\/main>/s.test(html)) withButtons.push(address);
    }
    for (const address of withButtons) {
      await page.goto(bank.url + address);
      await startApp(page);
      await scrollThrough(page);
      await page.waitForLoadState('networkidle');
      if (address === '/') await startCarousel(page);
      const buttons = page.locator('button:visible');
      for (let index = 0; index < (await buttons.count()); index++) {
        const button = buttons.nth(index);
        if ((await button.getAttribute('aria-pressed')) === 'true') continue;
        if ((await button.getAttribute('aria-current')) === 'true') continue;
        const snapshot = () =>
          page.evaluate(
            () => document.body.innerHTML + document.activeElement?.getAttribute('name') + location.href,
          );
        const before = await snapshot();
        await button.click();
        await expect
          .poll(snapshot, { message: `${await button.innerText()} on ${address}` })
          .not.toBe(before);
        clicked++;
      }
    }
    expect(clicked).toBeGreaterThan(25);
  });
});

test('an unknown URL says so and links to the home page [R-23, R-24, R-25]', async ({ page }) => {
  const expectErrors = collectErrors(page);
  for (const address of ['/nothing', '/event/nothing', '/members/nobody', '/resources/nothing']) {
    const answer = await page.goto(bank.url + address);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await expect(
      page.getByText('The page you are looking for might have been removed or is temporarily unavailable.'),
    ).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(`${bank.url}/`);
  expectErrors('404', '404', '404', '404');
});

test.describe('the home page', () => {
  test('hydrates even if the styles of its lower half fail to load, and requests the web manifest after that', async ({
    page,
  }) => {
    await page.route('**/assets/later-*.css', route => route.abort());
    await page.goto(bank.url, { waitUntil: 'commit' });
    await expect(page.locator('link[rel="manifest"]')).toHaveCount(0);
    await expectHydrated(page);
    await expect(page.locator('link[rel="manifest"]')).toHaveCount(1);
    await expect(page.locator('footer.Footer')).toBeVisible();
    // The script of the lower half loads its styles too.
    await expect(page.locator('.ArticleTile').first()).toHaveCSS('display', 'inline');
    await page.locator('#home-rest').scrollIntoViewIfNeeded();
    await expect(page.locator('.ArticleTile').first()).toHaveCSS('display', 'flex');
  });

  test('introduces the bank and links to its services and the registration [H-01, H-02, H-03, H-05]', async ({
    page,
  }) => {
    await page.goto(bank.url);
    await expect(
      page.getByText(/trusted partner for banking, credit cards, loans, mortgages and more/),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Apply Now' }).first()).toHaveAttribute('href', '/register');
    for (const name of [
      'Secure Banking',
      'Personalized Loan Options',
      'Mortgage Solutions',
      '24/7 Customer Support',
    ])
      await expect(page.getByRole('heading', { name })).toBeVisible();
    await page.getByRole('link', { name: 'Explore Our Services' }).click();
    await expect(page).toHaveURL(/#services$/);
    await expect(page.locator('#services h2')).toBeInViewport();
    await expect(page.locator('.ArticleCarousel')).toHaveClass(/is-live/);
  });

  test('keeps its lower half while the script of that half is fetched, also when the visitor jumps to the services and back [H-02]', async ({
    page,
  }) => {
    await page.goto(bank.url);
    await expectHydrated(page);
    const script = await holdRequests(page, '**/assets/HomeRest-*.js');
    await page.getByRole('link', { name: 'Explore Our Services' }).click();
    await expect(page).toHaveURL(/#services$/);
    await settle(page);
    await expect(page.locator('.ArticleTile')).toHaveCount(14);
    await expect(page.locator('#services h2')).toBeInViewport();
    await expect(page.locator('.WaitOverlay')).toHaveCount(0);
    await page.goBack();
    await settle(page);
    await expect(page.locator('.ArticleTile')).toHaveCount(14);
    await expect(page.locator('.ArticleTile').first()).toBeVisible();
    await script.releaseOldest();
    await startCarousel(page);
  });

  test('keeps its lower half if the script of that half cannot be fetched, and fetches it when the visitor scrolls on [H-02]', async ({
    page,
  }) => {
    const script = '**/assets/HomeRest-*.js';
    await page.route(script, route => route.abort());
    await page.goto(bank.url);
    await expectHydrated(page);
    const failed = page.waitForEvent('requestfailed');
    await page.keyboard.press('Shift');
    await failed;
    await page.getByRole('link', { name: 'Explore Our Services' }).click();
    await expect(page).toHaveURL(/#services$/);
    await settle(page);
    await expect(page.locator('.ArticleTile')).toHaveCount(14);
    await expect(page.locator('#services h2')).toBeInViewport();
    await expect(page.locator('.WaitOverlay')).toHaveCount(0);
    await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.unroute(script);
    let isFetched = false;
    page.on('response', answer => {
      isFetched ||= /HomeRest-.*js$/.test(answer.url());
    });
    await expect(async () => {
      await page.evaluate(() => scrollTo(0, scrollY ? 0 : 10));
      expect(isFetched).toBe(true);
    }).toPass();
    await startCarousel(page);
  });

  test('opened at its articles from another page shows them when they arrive, unless the visitor has scrolled [H-11]', async ({
    page,
  }) => {
    for (const hasScrolled of [false, true]) {
      await page.goto(`${bank.url}/about`);
      await startApp(page);
      const script = await holdRequests(page, '**/assets/HomeRest-*.js');
      await page.locator('.Footer').getByRole('link', { name: 'Articles' }).click();
      await expect(page).toHaveURL(/#services$/);
      await expect(page.locator('.HomeScreen-wait')).toBeAttached();
      if (hasScrolled) await page.evaluate(() => scrollTo(0, 300));
      await script.releaseOldest();
      await expect(page.locator('#services')).toBeAttached();
      await expect(page.locator('.ArticleCarousel')).toHaveCount(1);
      await settle(page);
      if (hasScrolled) expect(await page.evaluate(() => scrollY)).toBe(300);
      else await expect(page.locator('#services h2')).toBeInViewport();
      await page.unroute('**/assets/HomeRest-*.js');
    }
  });

  test('changes the color of its flower every second through six colors, except with reduced motion [H-04]', async ({
    page,
  }) => {
    await page.goto(bank.url);
    const mark = page.locator('.HomeHero-mark');
    const colors = await mark.evaluate(node => {
      const [cycle] = node.getAnimations();
      if (!cycle) return [];
      cycle.pause();
      return Array.from({ length: 6 }, (_, step) => {
        cycle.currentTime = (step + 0.5) * 1000;
        return getComputedStyle(node).fill;
      });
    });
    expect(new Set(colors).size).toBe(6);
    expect(await mark.evaluate(node => node.getAnimations()[0]?.effect?.getComputedTiming().duration)).toBe(
      6000,
    );
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await mark.evaluate(node => node.getAnimations().length)).toBe(0);
  });

  for (const [theme, other] of [
    ['light', 'dark'],
    ['dark', 'light'],
    [null, 'dark'],
  ] as const)
    test(`requests one hero image, from its preload link, if ${theme ?? 'no theme'} is chosen and the system is ${other}`, async ({
      page,
    }) => {
      const requested: string[] = [];
      page.on('request', request =>
        requested.push(new URL(request.url()).pathname.replace(/-.{7}\.\w+$/, '')),
      );
      await page.emulateMedia({ colorScheme: other });
      if (theme) await page.addInitScript(chosen => localStorage.setItem('theme', chosen), theme);
      await page.goto(bank.url, { waitUntil: 'networkidle' });
      const heroImage = (theme ?? other) === 'dark' ? '/assets/hero-night' : '/assets/hero';
      expect(requested.filter(path => path.startsWith('/assets/hero'))).toEqual([heroImage]);
      const startedBy = await page.evaluate(
        path => performance.getEntriesByType('resource').find(({ name }) => name.includes(`${path}-`)),
        heroImage,
      );
      expect(startedBy).toMatchObject({ initiatorType: 'link' });
    });

  test('lists five events, the first with its picture, each with a link to its page and to its author’s [H-06, H-07, H-08, R-22, E-14]', async ({
    page,
  }) => {
    await page.goto(bank.url);
    const events = page.locator('#events');
    await expect(events.locator('.EventsSection-first h3')).toHaveCount(1);
    await expect(events.locator('.EventsSection-first img').first()).toBeAttached();
    const links = events.locator('h3 a');
    await expect(links).toHaveCount(5);
    await expect(events.locator('a[href^="/members/"]')).toHaveCount(5);
    for (const link of await links.all()) {
      // Title and address are read in one call, because between two calls, hydration may sort the events by date.
      const [title, address] = await link.evaluate(element => [
        element.textContent,
        element.getAttribute('href'),
      ]);
      const html = await (await page.request.get(`${bank.url}${address}`)).text();
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain('href="/members/');
    }
    await events.getByRole('link', { name: 'View all' }).click();
    await expect(page).toHaveURL(/\/event$/);
    await expect(page.locator('main li h2')).toHaveCount(5);
  });

  test('highlights a country on its map on hover, and loads the map from the bank itself [H-09, H-10]', async ({
    page,
  }) => {
    const origins: string[] = [];
    page.on('request', request => origins.push(new URL(request.url()).origin));
    const map = page.waitForResponse(response => response.url() === `${bank.url}/world.svg`);
    await page.goto(bank.url);
    await page.locator('.WorldMap').scrollIntoViewIfNeeded();
    expect((await map).headers()['content-type']).toMatch('svg');
    const country = page.locator('.WorldMap path.is-listed').nth(1);
    const fill = () => country.evaluate(node => getComputedStyle(node).fill);
    const before = await fill();
    await country.hover();
    await expect.poll(fill).not.toBe(before);
    await expect(page.getByText('On our list. Money arrives in 3–7 business days.')).toBeVisible();
    expect(new Set(origins)).toEqual(new Set([bank.url]));
  });

  test('shows fourteen articles under ‘all’ and two under each category; the two research articles only under ‘all’ [H-11, H-12, H-13, H-18, H-19]', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const resources = await openCarousel(page);
    await expect(resources.getByRole('heading', { level: 2 })).toHaveCount(1);
    await expect(resources.locator('.ResourcesSection-intro p')).toHaveCount(3);
    const cards = resources.locator('.ArticleCarousel-card');
    await expect(cards).toHaveCount(14);
    await expect(resources.locator('.ArticleTile-category', { hasText: 'Research' })).toHaveCount(2);
    const buttons = resources.locator('.ResourcesSection-filters button');
    expect(await buttons.allTextContents()).toEqual([
      'all',
      'Account Management',
      'Guides',
      'Loans & Mortgages',
      'Credit Cards',
      'Savings & Investments',
      'Security & Fraud Prevention',
    ]);
    for (const button of (await buttons.all()).slice(1)) {
      await button.click();
      await expect(cards).toHaveCount(2);
      await expect(resources.locator('.ArticleTile-category')).toHaveText([
        await button.innerText(),
        await button.innerText(),
      ]);
    }
    await buttons.first().click();
    await expect(cards).toHaveCount(14);
  });

  test('advances its carousel of articles automatically, two at a time, even after a page was chosen, until it is paused [H-14, H-15, H-16, H-17]', async ({
    page,
  }) => {
    const resources = await openCarousel(page);
    type Carousel = { params: { slidesPerView: number; spaceBetween: number; autoplay: object } };
    const settings = await resources.locator('.ArticleCarousel-box').evaluate(box => {
      const { slidesPerView, spaceBetween, autoplay } = (box as unknown as { swiper: Carousel }).swiper
        .params;
      return { slidesPerView, spaceBetween, autoplay: { ...autoplay } };
    });
    expect(settings).toMatchObject({
      slidesPerView: 2,
      spaceBetween: 30,
      autoplay: { delay: 3000, disableOnInteraction: false },
    });
    expect(carousel).toEqual({ delayMs: 3000, perView: 2, spacing: 30 });
    const cards = resources.locator('.ArticleCarousel-card');
    const [first, second] = [await cards.nth(0).boundingBox(), await cards.nth(1).boundingBox()];
    expect(Math.round(second!.x - first!.x - first!.width)).toBe(30);
    const pages = resources.getByRole('button', { name: /^Page \d of 7$/ });
    await expect(pages).toHaveCount(7);
    await expect(pages.nth(1)).toHaveAttribute('aria-current', 'true');
    await pages.nth(4).click();
    await expect(pages.nth(4)).toHaveAttribute('aria-current', 'true');
    await expect(cards.nth(8)).toBeInViewport({ ratio: 0.6 });
    await expect(pages.nth(5)).toHaveAttribute('aria-current', 'true');
    await resources.getByRole('button', { name: 'Pause' }).click();
    await expect(resources.getByRole('button', { name: 'Play' })).toBeVisible();
    const running = () =>
      resources
        .locator('.ArticleCarousel-box')
        .evaluate(
          box => (box as unknown as { swiper: { autoplay: { running: boolean } } }).swiper.autoplay.running,
        );
    expect(await running()).toBe(false);
    await resources.getByRole('button', { name: 'Play' }).click();
    expect(await running()).toBe(true);
  });

  test('does not advance its articles with reduced motion, and scrolls to the article that has the focus [H-14]', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const resources = await openCarousel(page);
    await expect(resources.getByRole('button', { name: 'Play' })).toBeVisible();
    const links = resources.locator('.ArticleTile');
    await links.first().focus();
    for (let steps = 0; steps < 6; steps++) await page.keyboard.press('Tab');
    await expect(links.nth(6)).toBeFocused();
    await expect(links.nth(6)).toBeInViewport({ ratio: 0.6 });
  });

  test('shows the chosen category and the opened card again after Back, at the same place of the page [H-13]', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 800 });
    const resources = await openCarousel(page);
    await resources.getByRole('button', { name: 'Guides' }).click();
    await resources.getByRole('button', { name: 'Page 2 of 2' }).click();
    const card = resources.locator('.ArticleTile').nth(1);
    await expect(card).toBeInViewport({ ratio: 0.6 });
    await card.focus();
    const place = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/resources\//);
    await page.goBack();
    await expect(resources.getByRole('button', { name: 'Guides' })).toHaveAttribute('aria-pressed', 'true');
    await expect(resources.getByRole('button', { name: 'Page 2 of 2' })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await expect(card).toBeInViewport({ ratio: 0.6 });
    expect(await page.evaluate(() => scrollY)).toBe(place);
  });

  test('opens an article of 300 words or more from every card [H-20, R-22, E-15]', async ({ page }) => {
    await page.goto(bank.url);
    const links = page.locator('.ArticleTile');
    await expect(links).toHaveCount(14);
    const covers = new Set<string>();
    const other = await page.context().newPage();
    for (const link of await links.all()) {
      const title = (await link.locator('b').textContent()) ?? '';
      covers.add((await link.locator('img').getAttribute('src')) ?? '');
      await other.goto(bank.url + (await link.getAttribute('href')));
      await expect(other.locator('h1')).toHaveText(title);
      const words = (await other.locator('.ArticleScreen-text').innerText()).split(/\s+/).length;
      expect(words, title).toBeGreaterThanOrEqual(300);
    }
    expect(covers.size).toBe(14);
  });

  test('sends a contact message, says so after a second and a half, and clears the form; the bank mails the message to support [H-21, H-22, H-23, H-24, H-25, V-22, C-81]', async ({
    page,
  }) => {
    await page.goto(bank.url);
    const form = page.locator('.ContactForm');
    await form.scrollIntoViewIfNeeded();
    await startApp(page);
    const send = form.getByRole('button', { name: 'Send Message' });
    await expect(send).toHaveAttribute('type', 'submit');
    const subject = `A question about ${Date.now()}`;
    await form.getByLabel('Name').fill('Ottilie Brandt');
    await form.getByLabel('Email').fill('ottilie');
    await form.getByLabel('Subject').fill(subject);
    await send.click();
    await expect(form.getByLabel('Email')).toBeFocused();
    await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    await expect(form.getByLabel('Message')).toHaveAccessibleDescription('Please fill in this field');
    await form.getByLabel('Email').fill('ottilie@brandt.example');
    await send.click();
    await expect(form.getByLabel('Message')).toBeFocused();
    for (const label of ['Name', 'Email', 'Subject', 'Message'])
      await expect(form.getByLabel(label)).toHaveAttribute('required', '');
    await expect(form.getByLabel('Email')).toHaveAttribute('type', 'email');
    await form.getByLabel('Message').fill('   ');
    await send.click();
    await expect(form.getByLabel('Message')).toBeFocused();
    await expect(form.getByLabel('Message')).toHaveAccessibleDescription('Please fill in this field');
    await form.getByLabel('Message').fill('Where does the lark sleep?');
    const answered = page.waitForResponse(response => response.request().method() === 'POST');
    await stopClock(page);
    await send.click();
    await (await answered).finished();
    await page.clock.runFor(contact.sendDelayMs - 1);
    await settle(page);
    await expect(form.getByText('Sending...')).toBeVisible();
    await page.clock.runFor(1);
    await expect(form.getByText('Message sent successfully!')).toBeVisible();
    await page.clock.resume();
    for (const label of ['Name', 'Email', 'Subject', 'Message'])
      await expect(form.getByLabel(label)).toHaveValue('');
    await expect
      .poll(async () => {
        const mails = await bank.mailsTo(bankFacts.supportEmail);
        return mails.some(({ text }) => text.includes('Where does the lark sleep?'));
      })
      .toBe(true);
  });
});

test.describe('the other pages', () => {
  test('show the required content: vision, mission and four cards on About [P-01, P-02]', async ({
    page,
  }) => {
    await page.goto(`${bank.url}/about`);
    for (const name of [
      'Vision',
      'Mission',
      'Secure banking',
      'Loan solutions',
      'Mobile banking',
      'Innovation',
    ])
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  });

  test('show the required content: six loans with exact figures, four areas, steps and reasons [P-03, P-04, P-05, P-06, K-03, K-04, K-05, K-06, K-07, K-08]', async ({
    page,
  }) => {
    await page.goto(`${bank.url}/business`);
    await expect(page.locator('.BusinessScreen-areas li')).toHaveCount(4);
    await expect(page.locator('.BusinessScreen-steps li')).toHaveCount(4);
    await expect(page.locator('.BusinessScreen-reasons li')).toHaveCount(4);
    const cards = await page
      .locator('.LoanCards li')
      .evaluateAll(all =>
        all.map(card => [
          card.querySelector('h3')?.textContent,
          ...[...card.querySelectorAll('dd')].map(figure => figure.textContent),
        ]),
      );
    expect(cards).toEqual([
      ['Working capital', '15% a year', '$50 million', '12 months'],
      ['Equipment financing', '18% a year', '$100 million', '36 months'],
      ['SME growth', '16% a year', '$25 million', '24 months'],
      ['Agricultural', '12% a year', '$75 million', 'Seasonal'],
      ['Commercial vehicle', '17% a year', '$40 million', '48 months'],
      ['Educational institution', '14% a year', '$150 million', '60 months'],
    ]);
  });

  test('open a prepared contact message for a meeting, and download the brochure [P-07, P-08, P-09]', async ({
    page,
  }) => {
    await page.goto(`${bank.url}/business`);
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download Brochure' }).click();
    const file = await readFile(await (await coming).path());
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.length).toBeGreaterThan(20_000);
    await page.getByRole('link', { name: 'Schedule a Meeting' }).last().click();
    await expect(page).toHaveURL(/\/contact\?/);
    await expect(page.getByLabel('Subject')).toHaveValue('A meeting about a business loan');
    await expect(page.getByLabel('Message')).toHaveValue(/I would like to meet a lender/);
    await expect(page.getByLabel('Name')).toBeFocused();
    await expect(page.getByLabel('Name')).toBeInViewport();
  });

  test('say how to reach the bank, and call it with one tap [P-10, P-11, P-20, R-37]', async ({ page }) => {
    await page.goto(`${bank.url}/contact`);
    await expect(page.locator('.ContactForm')).toBeVisible();
    for (const text of [bankFacts.address, bankFacts.phone, bankFacts.supportEmail])
      await expect(page.locator('main').getByText(text).first()).toBeVisible();
    const phone = page.locator('main').getByRole('link', { name: bankFacts.phone }).first();
    await expect(phone).toHaveAttribute('href', 'tel:+12125550142');
  });

  test('have links whose arrow follows the last word, also if the link wraps', async ({ page }) => {
    await page.goto(`${bank.url}/contact`);
    const ends = await page.locator('.Site-more').evaluateAll(links =>
      links.map(link => {
        const words = document.createRange();
        words.selectNodeContents(link.firstChild!);
        const lines = [...words.getClientRects()];
        const arrow = link.querySelector('svg')!.getBoundingClientRect();
        return { lines: lines.length, gap: Math.round(arrow.left - lines.at(-1)!.right) };
      }),
    );
    expect(Math.max(...ends.map(({ lines }) => lines))).toBe(2);
    expect(new Set(ends.map(({ gap }) => gap))).toEqual(new Set([8]));
  });

  test('contain the required terms; only the anti-laundering policy says “Last updated March 2024”; and two pages have a second path [P-12, P-13, P-14, R-19, R-21, R-40]', async () => {
    const main = async (address: string) =>
      /<main[^>]*>(.*)<\/main>/s.exec(await (await fetch(bank.url + address)).text())?.[1] ?? '';
    const terms = await main('/terms-and-conditions');
    for (const term of [
      /18 or older/,
      /Each person can have one account/,
      /minimum balance requirement may apply/,
    ])
      expect(terms).toMatch(term);
    const privacy = await main('/privacy-policy');
    for (const sentence of [/If we reject your application, we erase/, /records to authorities when the law/])
      expect(privacy).toMatch(sentence);
    expect(await main('/private-policy')).toBe(privacy);
    expect(await main('/anti-laundring')).toBe(await main('/anti-laundering'));
    const dated: string[] = [];
    for (const address of addresses)
      if ((await main(address)).includes('Last updated March 2024')) dated.push(address);
    expect(terms).toContain('Version of November 2026');
    expect(dated.sort()).toEqual(['/anti-laundering', '/anti-laundring']);
  });

  test('say when an event takes place next, and reserve a seat [P-21]', async ({ page }) => {
    await page.goto(`${bank.url}/event/fraud-clinic`);
    await expect(page.locator('.FactList time')).toHaveText(/^Tue, \w{3} \d{1,2}$/);
    await page.getByRole('link', { name: 'Reserve a seat' }).click();
    await expect(page.getByLabel('Subject')).toHaveValue('A seat at “The fraud clinic”');
    await expect(page.getByLabel('Message')).toHaveValue(/ on Tue, \w{3} \d+\.$/);
  });
});

test('on phones of every width, ranges such as 3–7 and the dates of a table do not wrap', async ({
  page,
}) => {
  const lines = () =>
    page.evaluate(() => {
      const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
      const counts: number[] = [];
      while (texts.nextNode()) {
        const text = texts.currentNode;
        for (const match of text.nodeValue!.matchAll(/\d–\d/g)) {
          const range = document.createRange();
          range.setStart(text, match.index);
          range.setEnd(text, match.index + match[0].length);
          counts.push(new Set([...range.getClientRects()].map(({ top }) => top)).size);
        }
      }
      return counts;
    });
  for (const address of ['/terms-and-conditions', '/event/saving-for-later']) {
    await page.goto(bank.url + address);
    for (let width = 320; width <= 430; width += 2) {
      await page.setViewportSize({ width, height: 700 });
      expect(new Set(await lines()), `${address} at ${width}`).toEqual(new Set([1]));
    }
  }

  await page.goto(`${bank.url}/resources/statement-day`);
  const dates = page.locator('td').filter({ hasText: /^[A-Z][a-z]{2}\s\d/ });
  await expect(dates).toHaveCount(6);
  for (let width = 320; width <= 430; width += 10) {
    await page.setViewportSize({ width, height: 700 });
    const heights = await dates.evaluateAll(cells => cells.map(cell => cell.clientHeight));
    expect(new Set(heights).size, `at ${width}`).toBe(1);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('pages show their texts, the menu and links work, notices replace what needs JavaScript, and Coverage says that no deposit insurance applies [P-19, R-33]', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(bank.url);
    await expect(page.locator('noscript p')).toBeVisible();
    await expect(page.locator('.ArticleTile')).toHaveCount(14);
    await expect(page.locator('.ArticleTile').first()).toHaveCSS('display', 'flex');
    for (const gap of ['.ContactForm', '.WorldMap', '.ReachSection-say'])
      await expect(page.locator(gap)).toBeHidden();
    await expect(page.locator('.ReachSection-list')).toContainText('Denmark');
    const instead = page.locator('noscript .Banner');
    await expect(instead).toBeVisible();
    await expect(instead).toContainText('Email us or call us instead.');
    const about = page.locator('.TopBar-links').getByRole('link', { name: 'About' });
    await expect(about).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(about).toBeVisible();
    await about.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A bank that shows its work');
    await page.goto(`${bank.url}/event/fraud-clinic`);
    await expect(page.getByText('Price')).toBeVisible();
    await expect(page.getByText('Next date')).toBeHidden();
    await page.goto(`${bank.url}/coverage`);
    await expect(page.getByText(insuranceMessages.noInsurance)).toHaveCount(2);
    await expect(page.locator('main').getByText(insuranceMessages.noInsurance)).toBeVisible();
    await expect(page.locator('footer').getByText(insuranceMessages.noInsurance)).toBeVisible();
  });
});

test('a phone’s menu opens, and closes with the same button and with Esc [R-33]', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(bank.url);
  const links = page.locator('.TopBar-links');
  const menu = page.getByRole('button', { name: 'Menu' });
  for (const close of [() => menu.click(), () => page.keyboard.press('Escape')]) {
    await menu.click();
    await expect(links).toBeVisible();
    await close();
    await expect(links).toBeHidden();
  }
});

test('a printed page has its text and pictures, without bars and buttons', async ({ page }) => {
  await page.goto(`${bank.url}/resources/payment-schedule`);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('.TopBar')).toBeHidden();
  await expect(page.locator('.Footer')).toBeHidden();
  await expect(page.locator('h1')).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');

  await page.goto(`${bank.url}/event/fraud-clinic`);
  await expect(page.locator('h1')).toBeVisible();
  await expect(page.getByText('Reserve a seat')).toBeHidden();

  await page.goto(`${bank.url}/methods`);
  await expect(page.locator('.DaysDiagram-arrival').first()).toHaveCSS('print-color-adjust', 'exact');
  // A grid that breaks across sheets prints its caption over the days.
  await expect(page.locator('.DaysDiagram')).toHaveCSS('display', 'block');

  for (const [address, sheets] of [
    ['/event', 2],
    ['/business', 3],
  ] as const) {
    await page.goto(`${bank.url}${address}`);
    const paper = (await page.pdf({ format: 'Letter' })).toString('latin1');
    expect(paper.match(/\/Type \/Page\b/g)?.length, address).toBeLessThanOrEqual(sheets);
  }

  await page.goto(`${bank.url}/resources/six-digits`);
  const mark = page.locator('.ArticleScreen-text li').first();
  expect(await mark.evaluate(item => getComputedStyle(item, '::before').printColorAdjust)).toBe('exact');

  // Before the visitor scrolls, there is no map, and the build does not know the dates of the events.
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.emulateMedia({ media: 'screen' });
  await page.goto(bank.url);
  await expectHydrated(page);
  await page.emulateMedia({ media: 'print' });
  for (const missing of ['.WorldMap', '.ReachSection-say', '.CalendarDay >> nth=0'])
    await expect(page.locator(missing)).toBeHidden();
  await expect(page.locator('.EventsSection-when').first()).toHaveText(/^First Thursday of each month/);
  const ink = await page.locator('h1').evaluate(title => getComputedStyle(title).color);
  for (const part of ['dt', 'dd'])
    await expect(page.locator(`.HomeHero-figures ${part}`).first()).toHaveCSS('color', ink);

  await page.emulateMedia({ media: 'screen' });
  const carousel = page.locator('.ArticleCarousel');
  await carousel.scrollIntoViewIfNeeded();
  await carousel.getByRole('button', { name: 'Page 3 of' }).click();
  await page.emulateMedia({ media: 'print' });
  const places = () =>
    carousel
      .locator('.ArticleCarousel-card')
      .evaluateAll(cards => cards.slice(0, 4).map(card => Math.round(card.getBoundingClientRect().left)));
  const left = await carousel.evaluate(element => Math.round(element.getBoundingClientRect().left));
  await expect.poll(async () => (await places()).filter(place => place === left).length).toBe(2);
});

test('the picture on an auth page is fetched on desktops, where it is shown, but not on phones', async ({
  browser,
}) => {
  for (const [width, isShown] of [
    [1440, true],
    [390, false],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 844 } });
    const page = await context.newPage();
    const pictures: string[] = [];
    page.on('request', request => {
      if (/larkspur-door.*\.svg$/.test(request.url())) pictures.push(request.url());
    });
    await page.goto(`${bank.url}/login`);
    await expectHydrated(page);
    await expect(page.locator('.AuthPage-side img')).toBeVisible({ visible: isShown });
    await page.waitForLoadState('networkidle');
    expect(pictures).toHaveLength(isShown ? 1 : 0);
    await context.close();
  }
});

/** Kilobytes of compressed script that a page loads before the visitor scrolls, types or clicks. */
const scriptBudgets: Record<string, number> = {
  '/': 80,
  '/about': 79,
  '/business': 79,
  // Larger, because the form asks before the visitor leaves it with changes, and phone numbers in answers are links.
  '/contact': 85,
  // Larger, because the next dates of events need the federal holidays and the events' hours.
  '/event': 82,
  // Larger, because phone numbers in articles are links.
  '/resources/six-digits': 82,
  '/login': 104,
  '/register': 134,
  '/forgot-password': 132,
};

test('each of nine pages loads no more script than its budget, and the home page does not load its carousel before the visitor scrolls near it [R-42]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  for (const [address, budget] of Object.entries(scriptBudgets)) {
    const scripts = countScripts(page);
    await page.goto(bank.url + address);
    await expectHydrated(page);
    await page.waitForLoadState('networkidle');
    expect(scripts.kilobytes(), `${address}: ${scripts.files()}`).toBeLessThanOrEqual(budget);
    expect(scripts.kilobytes(), 'nothing comes from the cache').toBeGreaterThan(budget / 2);
    expect(scripts.files()).not.toMatch(/carousel|HomeRest/);
  }
});
