/** Visits every screen of a build and writes down how it looks: a picture, the computed styles and the bytes it fetched. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Browser, type CDPSession, chromium, type Page, type Request } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { isHeld, openBank } from './bank.ts';
import { type Screen, screens } from './list.ts';

const heights: Record<number, number> = { 360: 780, 768: 1024, 1440: 900 };
const workers = 4;
/** For the same pixels every time: whole tiles, drawn with their images, and nothing left to the compositor's own time. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-partial-raster',
  '--disable-checker-imaging',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-new-content-rendering-timeout',
  '--run-all-compositor-stages-before-draw',
];
const zip = promisify(gzip);

/** Bytes of a page as they were sent, by kind. */
export type Bytes = Record<'document' | 'stylesheet' | 'script', number>;
type Run = {
  browser: Browser;
  bank: Awaited<ReturnType<typeof openBank>>;
  folder: string;
  plain: Styles;
  bytes: Record<string, Bytes>;
};

/** Captures the screens whose names match; gives the exit code. */
export async function capture(folder: string, root: string, data: string, only: RegExp): Promise<number> {
  const found = await findBrowser();
  if ('missing' in found) throw new Error(found.missing);
  const bank = await openBank(root, data);
  const browser = await chromium.launch({ executablePath: found.path, args });
  const failures: string[] = [];
  const started = performance.now();
  try {
    const waiting = (await listScreens(bank.url)).filter(({ name }) => only.test(name));
    if (only.source === '(?:)') await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'bytes.json');
    const bytes = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
    const run = { browser, bank, folder, bytes, plain: await readPlainStyles(browser) };
    const work = async () => {
      for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
        for (const width of screen.at ?? Object.keys(heights).map(Number)) {
          const failed = (error: unknown) => failures.push(`${screen?.name} at ${width}: ${String(error)}`);
          await visit(run, screen, width).catch(failed);
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    await writeFile(file, JSON.stringify(Object.fromEntries(Object.entries(bytes).sort()), null, 2));
  } finally {
    await browser.close();
    await bank.close();
  }
  for (const failure of failures) console.error(failure);
  console.log(
    `Captured in ${Math.round((performance.now() - started) / 1000)} s, ${failures.length} failed.`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** Every public page of the sitemap, and the list. */
async function listScreens(url: string): Promise<Screen[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  const pages = paths.map(path => ({ name: `page${path.replaceAll('/', '-')}`, path, read: true as const }));
  return [...screens, ...pages];
}

async function visit(run: Run, screen: Screen, width: number): Promise<void> {
  const { bank, folder, plain, bytes } = run;
  const stored =
    screen.as && (screen.as === 'admin' ? { admin: bank.admin } : { user: bank.loggedIn[screen.as] });
  const localStorage = Object.entries(stored ?? {}).map(([name, one]) => ({
    name,
    value: JSON.stringify(one),
  }));
  const context = await run.browser.newContext({
    baseURL: bank.url,
    viewport: { width, height: heights[width]! },
    hasTouch: width === 360,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    storageState: { cookies: [], origins: [{ origin: bank.url, localStorage }] },
  });
  try {
    await context.clock.setFixedTime(bank.at);
    await context.addInitScript(holdStill);
    await bank.replay(context, screen);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const pending = new Set<object>();
    // By address: without a cache, a script may be fetched both ahead and when it is imported.
    const fetched = new Map<string, Request>();
    page.on('request', request => isHeld(request.url(), screen) || pending.add(request));
    page.on('requestfailed', request => pending.delete(request));
    page.on('requestfinished', request => {
      pending.delete(request);
      fetched.set(request.url(), request);
    });

    await page.emulateMedia({ colorScheme: 'light', ...screen.media });
    await page.goto(screen.path);
    if (screen.read || screen.act || screen.force) await settle(page, pending);
    // Twice: what the first reading brings waits for a reader of its own.
    for (let times = screen.read ? 2 : 0; times > 0; times--) {
      await readThrough(page);
      await settle(page, pending);
    }
    await screen.act?.(page, bank.loggedIn);
    // Whether an element knows that it has moved under the mouse depends on the time.
    await page.mouse.move(0, 0);
    const session = await context.newCDPSession(page);
    if (screen.force) await force(session, screen.force);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, ...screen.media });
      await settle(page, pending);
      const name = join(folder, `${screen.name}@${width}-${scheme}`);
      const styles = (await readStyles(session, plain)).replaceAll(bank.url, '');
      await writeFile(`${name}.styles.gz`, await zip(styles, { level: 1 }));
      await writeFile(`${name}.png`, await takePicture(session, width));
    }

    if (width !== 1440 || screen.act || screen.force || screen.media) return;
    const size: Bytes = { document: 0, stylesheet: 0, script: 0 };
    for (const request of fetched.values()) {
      const kind = request.resourceType();
      if (kind in size) size[kind as keyof Bytes] += (await request.sizes()).responseBodySize;
    }
    bytes[screen.name] = size;
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own scripts: hides the blinking caret, and no timer of a second or more ever fires. */
function holdStill(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [sheet];
  const later = window.setTimeout.bind(window);
  const short = (run: () => void, ms = 0, ...more: []) => (ms < 1000 ? later(run, ms, ...more) : 0);
  window.setTimeout = short as typeof window.setTimeout;
}

/** Scrolls down as a reader does, so that what is loaded lazily is loaded. */
async function readThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' });
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    }
  });
}

/** Waits until nothing is fetched and nothing changes. Short animations are brought to their end, long ones to their start. */
async function settle(page: Page, pending: Set<object>): Promise<void> {
  const deadline = Date.now() + 30_000;
  do {
    if (Date.now() > deadline)
      throw new Error(`The page does not rest; ${pending.size} requests are pending.`);
    await page.evaluate(async () => {
      let changedAt = performance.now();
      const note = () => {
        changedAt = performance.now();
      };
      const observer = new MutationObserver(note);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      do {
        scrollTo({ top: 0, behavior: 'instant' });
        await document.fonts.ready;
        const images = [...document.images].filter(
          ({ complete, loading }) => !complete && loading !== 'lazy',
        );
        const running = document.getAnimations().filter(({ playState }) => playState === 'running');
        if (images.length + running.length > 0) note();
        for (const animation of running) {
          if (Number(animation.effect?.getComputedTiming().endTime) < 2000) animation.finish();
          else {
            animation.pause();
            animation.currentTime = 0;
          }
        }
        await new Promise(done => setTimeout(done, 20));
        await new Promise(requestAnimationFrame);
      } while (performance.now() - changedAt < 120);
      observer.disconnect();
    });
  } while (pending.size > 0);
}

async function takePicture(session: CDPSession, width: number): Promise<Buffer> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: cssContentSize.height, scale: 1 },
  });
  return Buffer.from(data, 'base64');
}

/** Gives every element these pseudo-classes. */
async function force(session: CDPSession, forcedPseudoClasses: string[]): Promise<void> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1 });
  const elements = nodes.filter(({ nodeType }) => nodeType === 1);
  await Promise.all(
    elements.map(({ nodeId }) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
  );
}

/** The properties that are compared, and their values on an element without any styles. */
type Styles = { names: string[]; values: string[] };
/** Custom properties, those that repeat another one, and the one we set ourselves. */
const left = /^--|(^|-)(block|inline)(-|$)|^border-(start|end)-|^perspective-origin$|^caret-color$/;

async function readPlainStyles(browser: Browser): Promise<Styles> {
  const page = await browser.newPage();
  await page.setContent('<x-plain>');
  const names = await page.evaluate(() => [...getComputedStyle(document.querySelector('x-plain')!)]);
  const values = await page.evaluate(all => {
    const styles = getComputedStyle(document.querySelector('x-plain')!);
    return all.map(name => styles.getPropertyValue(name));
  }, names);
  await page.close();
  const kept = names.flatMap((name, at) => (left.test(name) ? [] : [[name, values[at]!] as const]));
  return { names: kept.map(([name]) => name), values: kept.map(([, value]) => value) };
}

/** A line for each element and pseudo-element: its path, its classes, and the properties that a plain element has not. */
async function readStyles(session: CDPSession, { names, values }: Styles): Promise<string> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: names });
  const { nodes, layout } = documents[0]!;
  const paths: string[] = [];
  const seen = new Map<string, number>();
  for (const [node, parent] of nodes.parentIndex!.entries()) {
    const path = `${paths[parent] ?? ''}/${strings[nodes.nodeName![node]!]!.toLowerCase()}`;
    const place = (seen.get(path) ?? 0) + 1;
    seen.set(path, place);
    paths.push(place === 1 ? path : `${path}[${place}]`);
  }
  const indexes = new Map(strings.map((text, index) => [text, index]));
  const plain = values.map(value => indexes.get(value));
  const color = names.indexOf('color');
  const lines = layout.nodeIndex.map((node, at) => {
    const path = paths[node]!;
    if (/\/#[^/]*$/.test(path)) return '';
    const own = layout.styles[at]!;
    const attributes = nodes.attributes![node]!;
    const classes = attributes.findIndex((index, place) => place % 2 === 0 && strings[index] === 'class');
    const line = [path, `class: ${classes < 0 ? '' : strings[attributes[classes + 1]!]}`];
    for (const [place, name] of names.entries()) {
      // A color that follows the text's says nothing new.
      const follows = own[place] === own[color] && place !== color && /[^d]-color$/.test(name);
      if (own[place] !== plain[place] && !follows) line.push(`${name}: ${strings[own[place]!]}`);
    }
    return `${line.join('\t').replaceAll('\n', ' ')}\n`;
  });
  return lines.join('');
}
