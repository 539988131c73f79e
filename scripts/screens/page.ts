/** What a capture does with a page: waits until it is stable, takes its picture and reads its computed styles. */

import type { Browser, CDPSession, Page } from '@playwright/test';

/** Runs in the page before its own scripts: hides the blinking caret and disables timers of a second or more. */
export function holdStill(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [sheet];
  const later = window.setTimeout.bind(window);
  const short = (run: () => void, ms = 0, ...more: []) => (ms < 1000 ? later(run, ms, ...more) : 0);
  window.setTimeout = short as typeof window.setTimeout;
}

/** Waits until no request is pending and nothing changes. Short animations jump to their end, long ones to their start. */
export async function settle(page: Page, pending: Set<unknown>): Promise<void> {
  const deadline = Date.now() + 30_000;
  do {
    if (Date.now() > deadline)
      throw new Error(`The page does not become idle: ${pending.size} requests are pending.`);
    await page.evaluate(async () => {
      let calm = 0;
      const change = () => {
        calm = 0;
      };
      const observer = new MutationObserver(change);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      // Counts frames, not milliseconds: on a busy machine a page may stall for a long time and then change.
      while (calm++ < 5) {
        scrollTo({ top: 0, behavior: 'instant' });
        await document.fonts.ready;
        if ([...document.images].some(({ complete, loading }) => !complete && loading !== 'lazy')) change();
        for (const animation of document.getAnimations().filter(({ playState }) => playState === 'running')) {
          change();
          const isLong = Number(animation.effect?.getComputedTiming().endTime) > 2000;
          if (isLong) animation.pause();
          if (isLong) animation.currentTime = 0;
          else animation.finish();
        }
        await new Promise(done => setTimeout(done, 10));
        await new Promise(requestAnimationFrame);
      }
      observer.disconnect();
    });
  } while (pending.size > 0);
}

/** Forces these pseudo-classes on every element. */
export async function force(session: CDPSession, forcedPseudoClasses: string[]): Promise<void> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1 });
  for (const { nodeId, nodeType } of nodes)
    if (nodeType === 1) await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
}

export async function takePicture(session: CDPSession, width: number): Promise<Buffer> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const clip = { x: 0, y: 0, width, height: cssContentSize.height, scale: 1 };
  const how = { optimizeForSpeed: true, captureBeyondViewport: true, clip };
  return Buffer.from((await session.send('Page.captureScreenshot', how)).data, 'base64');
}

/** Properties that are not compared: custom properties, aliases of another property, and the property `holdStill` sets. */
const ignored = /^--|(^|-)(block|inline)(-|$)|^border-(start|end)-|^perspective-origin$|^caret-color$/;

/** The compared properties, with their values on an unstyled element. */
export async function readPlainStyles(browser: Browser): Promise<[string, string][]> {
  const page = await browser.newPage();
  await page.setContent('<x-plain>');
  const all = await page.evaluate(() => {
    const styles = getComputedStyle(document.querySelector('x-plain')!);
    return [...styles].map((name): [string, string] => [name, styles.getPropertyValue(name)]);
  });
  await page.close();
  return all.filter(([name]) => !ignored.test(name));
}

/** A line for each element and pseudo-element: path, classes, and the properties that differ from an unstyled element. */
export async function readStyles(session: CDPSession, plain: [string, string][]): Promise<string> {
  const computedStyles = plain.map(([name]) => name);
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles });
  const { nodes, layout } = documents[0]!;
  const seen = new Map<string, number>();
  const paths: string[] = [];
  for (const [node, parent] of nodes.parentIndex!.entries()) {
    const path = `${paths[parent] ?? ''}/${strings[nodes.nodeName![node]!]!.toLowerCase()}`;
    const place = (seen.get(path) ?? 0) + 1;
    seen.set(path, place);
    paths.push(place === 1 ? path : `${path}[${place}]`);
  }
  // Compare indexes instead of strings: a large page has a million values.
  const numbers = new Map(strings.map((text, number) => [text, number]));
  const defaults = plain.map(([, value]) => numbers.get(value));
  const color = computedStyles.indexOf('color');
  const lines = layout.nodeIndex.map((node, at) => {
    const own = layout.styles[at]!;
    if (/\/#[^/]*$/.test(paths[node]!)) return '';
    const attributes = nodes.attributes![node]!;
    const name = attributes.findIndex((number, place) => place % 2 === 0 && strings[number] === 'class');
    const line = [paths[node], `class: ${name < 0 ? '' : strings[attributes[name + 1]!]}`];
    for (const [place, property] of computedStyles.entries()) {
      // A color such as a border's is left out if it equals the text color, which is its default.
      const follows = own[place] === own[color] && /[^d]-color$/.test(property);
      if (own[place] !== defaults[place] && !follows) line.push(`${property}: ${strings[own[place]!]}`);
    }
    return `${line.join('\t').replaceAll('\n', ' ')}\n`;
  });
  return lines.join('');
}
