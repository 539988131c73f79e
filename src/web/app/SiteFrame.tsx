/**
 * The frame around every screen: skip link, top bar, footer and back-to-top link (not on application paths), toasts, the
 * 'Please wait' overlay and the idle warning. After a navigation it moves the focus into the new page, as a full page load
 * would.
 */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { bank } from '#contract/constants.ts';
import { usePresence } from '#web/base/presence.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Outlet } from '#web/router/Outlet.tsx';
import { ScrollRestoration } from '#web/router/ScrollRestoration.tsx';
import { frameText } from '#web/site/content/frame.ts';
import { isAppPath } from './appPaths.ts';
import { Footer } from './Footer.tsx';
import { PageHead } from './PageHead.tsx';
import { Toasts } from './Toasts.tsx';
import { TopBar } from './TopBar.tsx';
import { WaitOverlay } from './WaitOverlay.tsx';
import './SiteFrame.css';

// If the guard cannot be fetched, the page works without it: an idle user is then logged out without a warning.
const IdleGuard = lazy(async () => {
  const guard = await import('./IdleGuard.tsx').catch(() => undefined);
  return { default: guard?.IdleGuard ?? (() => null) };
});

export function SiteFrame() {
  const { pathname } = useLocation();
  const slim = isAppPath(pathname);
  const { customer, admin } = usePresence();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // If the screen has taken the focus (a form's first field), leave it there.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <>
      <PageHead />
      <a className="SiteFrame-skip" href="#main">
        {frameText.skipToContent}
      </a>
      {!slim && (
        <p className="SiteFrame-paper">
          {bank.name}, {bank.address}
        </p>
      )}
      <TopBar slim={slim} />
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {!slim && <Footer />}
      <WaitOverlay />
      <Toasts />
      {(customer || admin) && (
        <Suspense fallback={null}>
          <IdleGuard />
        </Suspense>
      )}
      <ScrollRestoration />
    </>
  );
}
