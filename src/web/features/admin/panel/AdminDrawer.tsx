/**
 * The sidebar as a drawer over the page on narrow screens. It traps the focus, closes by Esc, scrim and button, and
 * restores the focus; choosing a view moves the focus to that view's title.
 */
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useRef } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx';
import { words } from '../words.ts';
import { AdminSidebar, type AdminSidebarProps } from './AdminSidebar.tsx';
import { viewTitleId } from './ViewHead.tsx';
import './AdminDrawer.css';

/** From this width the sidebar is next to the view. Must match AdminDesk.css. */
const wide = '(min-width: 1321px)';

export type AdminDrawerProps = { open: boolean; onClose: () => void } & AdminSidebarProps;

export function AdminDrawer({ open, onClose, ...sidebar }: AdminDrawerProps) {
  const picked = useRef(false);

  useEffect(() => {
    if (!open) return;
    picked.current = false;
    const media = matchMedia(wide);
    media.addEventListener('change', onClose);
    return () => media.removeEventListener('change', onClose);
  }, [open, onClose]);

  const pick = () => {
    picked.current = true;
    onClose();
  };

  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="AdminDrawer-scrim" />
        <Dialog.Popup
          className="AdminDrawer"
          aria-label={navMessages.administration}
          finalFocus={() => (picked.current ? document.getElementById(viewTitleId) : true)}
        >
          <AdminSidebar
            {...sidebar}
            onPick={pick}
            end={
              <>
                <button type="button" onClick={onClose}>
                  <Icon name="close" />
                  {words.closeMenu}
                </button>
                <ThemeSwitch texts={appMessages.appearance} className="AdminDrawer-theme" />
              </>
            }
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
