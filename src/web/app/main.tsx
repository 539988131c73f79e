/**
 * The browser's entry. A prerendered page is hydrated in small steps that yield to the main thread. A path of the app
 * arrives as a shell and is rendered from scratch.
 */
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { keepInstallOffer } from '#web/base/installEvent.ts';
import { removeSessions } from '#web/base/presence.ts';
import { openBrowserHistory } from '#web/router/history.ts';
import { fetchRoutes, matchRoutes, prefetchRoutes } from '#web/router/matching.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createRouter } from '#web/router/router.ts';
import { routes } from './routes.tsx';

const yieldToMain = () => new Promise<void>(done => setTimeout(done));

/**
 * Loads the store, which watches the session and deletes it once it has expired. Retries if the store cannot be fetched. If all
 * attempts fail, ends the session, because nothing would watch it.
 */
async function followSession() {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await import('./pageStore.ts');
      return;
    } catch {
      await new Promise(done => setTimeout(done, 3_000));
    }
  }
  removeSessions();
}

// Not a top-level await: a lazy screen's chunk may import this chunk, and then each chunk would wait for the other.
async function start(root: HTMLElement) {
  const prerendered = root.dataset.prerendered !== undefined;
  const { customer, admin } = document.documentElement.dataset;
  if ((customer ?? admin) !== undefined) void followSession();
  if (prerendered) await yieldToMain();
  // Routes are fetched first: the first render must match the screen that is already on the page.
  let failed = false;
  await fetchRoutes(matchRoutes(routes, location.pathname)).catch((error: unknown) => {
    // Without the app, a prerendered page can still be read and its links work, so the page stays.
    if (prerendered) throw error;
    failed = true;
    console.error(error);
  });
  if (prerendered) await yieldToMain();
  const router = createRouter(routes, openBrowserHistory(), failed);
  if (prerendered) await yieldToMain();
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  if (!prerendered) return createRoot(root).render(app);
  // Repeat a click that came before hydration.
  const pressed = root.querySelector<HTMLElement>('[data-pressed]');
  startTransition(() => void hydrateRoot(root, app));
  if (pressed) setTimeout(() => pressed.click());
}

function prefetchFrom(event: Event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.origin === location.origin) prefetchRoutes(routes, link.pathname);
}

/** Only needed to install the site as an app, so it loads after everything the page itself needs. */
function linkManifest() {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/site.webmanifest';
  document.head.append(link);
}

keepInstallOffer();
addEventListener('pointerover', prefetchFrom, { passive: true });
addEventListener('focusin', prefetchFrom);
const root = document.getElementById('root');
if (root) void start(root).then(linkManifest);
