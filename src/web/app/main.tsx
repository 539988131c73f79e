/**
 * The browser's entry. A prerendered page is hydrated in small steps that give the main thread back in between; an
 * application path arrives as a shell and is rendered from nothing.
 */
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { forgetSessions } from '#web/base/presence.ts';
import { routes } from './routes.tsx';
import { prefetchScreens, settleScreens } from './screens.ts';

const breath = () => new Promise<void>(done => setTimeout(done));

/**
 * Storage holds a session, or what is left of one: the store follows it, and clears it when it has run out. It is asked for
 * again where it does not come; a session that nobody can watch over is ended.
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
  forgetSessions();
}

// A function rather than top-level await: the chunk of a screen behind a door may import this one, and would wait for itself.
async function start(root: HTMLElement) {
  const prerendered = root.dataset.prerendered !== undefined;
  const { customer, admin } = document.documentElement.dataset;
  if ((customer ?? admin) !== undefined) void followSession();
  if (prerendered) await breath();
  await settleScreens(routes, location.pathname);
  if (prerendered) await breath();
  // Telling the router that its data is there also tells it to leave the scroll position to the browser.
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: {} } });
  if (prerendered) await breath();
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  if (!prerendered) return createRoot(root).render(app);
  // Pressed on the finished page, before anybody could hear it.
  const pressed = root.querySelector<HTMLElement>('[data-pressed]');
  startTransition(() => void hydrateRoot(root, app));
  if (pressed) setTimeout(() => pressed.click());
}

function prefetchFrom(event: Event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.origin === location.origin) prefetchScreens(routes, link.pathname);
}

/** Asked for by whoever installs the site, so it comes after all that the page itself needs. */
function linkManifest() {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/site.webmanifest';
  document.head.append(link);
}

addEventListener('pointerover', prefetchFrom, { passive: true });
addEventListener('focusin', prefetchFrom);
const root = document.getElementById('root');
if (root) void start(root).then(linkManifest);
