/**
 * Starts the app on a prerendered page: at the first click or key press, or immediately for a visitor with a session. Otherwise
 * it starts once the page is painted and the browser is idle, so that nothing competes with the first paint. The build compiles
 * this file into every prerendered page (`scripts/build/pages.ts`). The list of files is in the attribute `data-chunks`, so
 * that the script's hash in the content security policy is the same for every page and every build.
 */
const page = document.documentElement.dataset;
let isStarted = false;

/** Requests the files three at a time, then evaluates them one by one, so that the main thread is free in between. */
async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  const files = page.chunks!.split(' ');
  for (const [place, href] of files.entries()) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    if (place % 3 === 2) await new Promise(done => setTimeout(done));
  }
  for (const file of files) await import(/* @vite-ignore */ file).catch(reportError);
}

function startWhenIdle(): void {
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 3000 });
  else setTimeout(start, 200);
}

addEventListener('pointerdown', start, { once: true });
addEventListener('keydown', start, { once: true });
// Remember a click on a button marked as waiting; `main.tsx` repeats it.
addEventListener(
  'click',
  ({ target }) => (target as Element).closest?.('[data-waits]')?.setAttribute('data-pressed', ''),
  true,
);
if ('customer' in page || 'admin' in page) void start();
else addEventListener('load', () => requestAnimationFrame(() => setTimeout(startWhenIdle)));

export {};
