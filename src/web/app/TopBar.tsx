/**
 * The bar at the top of every page: logo, site links, and login or logout. On application paths it is slim. On small screens
 * the links are a native popover, so the menu opens before (or without) any script and `Esc` closes it.
 */
import { useEffect, useRef } from 'react';
import { bank } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { Logo } from '#web/bank/Logo.tsx';
import { removeSessions, usePresence } from '#web/base/presence.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { NavLink } from '#web/router/NavLink.tsx';
import { frameText } from '#web/site/content/frame.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx';
import { Visitor } from './Visitor.tsx';
import './TopBar.css';

export function TopBar({ slim }: { slim: boolean }) {
  const menu = useRef<HTMLElement>(null);
  const { key, pathname } = useLocation();
  const navigate = useNavigate();
  const { isApproved } = usePresence();

  // Every navigation closes the menu, even to the same page. Hydration does not, because the user may have just opened it.
  const opened = useRef(key);
  useEffect(() => {
    if (opened.current !== key) menu.current?.hidePopover?.();
    opened.current = key;
  }, [key]);

  const logOut = async () => {
    try {
      const { leave } = await import('./pageStore.ts');
      leave();
      // A public page with a form stays open after a logout. Its blocker must not ask whether to leave the page.
      void navigate('/login', { ignoreBlocker: true });
    } catch {
      // Log out even if the store cannot be fetched; the new page loads everything again.
      removeSessions();
      location.assign('/login');
    }
  };

  return (
    <header
      className={classNames(
        'TopBar',
        slim && 'TopBar--slim',
        /^\/admin(\/|$)/.test(pathname) && 'TopBar--wide',
        // On small screens, the admin dashboard hides this bar's menu button, because the dashboard has its own.
        /^\/admin(\/dashboard)?\/?$/.test(pathname) && 'TopBar--desk',
      )}
    >
      <div className="TopBar-row">
        <Link className="TopBar-brand" to="/" aria-label={`${bank.name}, ${navMessages.home}`}>
          {slim ? (
            <>
              <Logo form="mark" label="" />
              {bank.name}
            </>
          ) : (
            <Logo label="" />
          )}
        </Link>
        <nav
          ref={menu}
          id="site-menu"
          popover="auto"
          className="TopBar-links"
          aria-label={frameText.siteNavigation}
        >
          <NavLink to="/" end>
            {navMessages.home}
          </NavLink>
          <NavLink to="/about">{navMessages.about}</NavLink>
          <NavLink to="/business">{navMessages.business}</NavLink>
          <NavLink to="/contact">{navMessages.helpDesk}</NavLink>
          <Visitor kind="admin">
            <NavLink to="/admin/dashboard">{navMessages.administration}</NavLink>
          </Visitor>
          <Visitor kind="customer">
            <NavLink to="/dashboard">{navMessages.dashboard}</NavLink>
            {slim && isApproved && (
              <>
                <NavLink className="TopBar-plan" to="/dashboard/scheduled">
                  {navMessages.scheduled}
                </NavLink>
                <NavLink className="TopBar-plan" to="/dashboard/goals">
                  {navMessages.goals}
                </NavLink>
              </>
            )}
            <button type="button" onClick={logOut} data-waits="">
              {navMessages.logout}
            </button>
          </Visitor>
          {slim && <ThemeSwitch texts={appMessages.appearance} className="needs-script" />}
        </nav>
        <Visitor kind="visitor">
          <Link className="TopBar-login" to="/login">
            {navMessages.login}
          </Link>
        </Visitor>
        <button type="button" className="TopBar-menu" popoverTarget="site-menu">
          <Icon name="menu" />
          <span>{frameText.menu}</span>
        </button>
      </div>
    </header>
  );
}
