/**
 * A modal dialog: traps the focus, closes by Esc, the scrim and its buttons, and returns the focus to the element that
 * opened it, or to the title of the page if that element is gone. On phones it rises from the bottom edge. `side` is a sheet at
 * the right edge, on phones the whole page.
 */
import { Dialog as Parts } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { classNames } from './classNames.ts';
import { IconButton } from './IconButton.tsx';
import './Dialog.css';

export type DialogProps = {
  open: boolean;
  /** Called for Esc, the scrim, or a closing button. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the harmless one first: it gets the focus unless a control comes before it. */
  actions?: ReactNode;
  /** 440, 560, 760 or 1080 px wide; `side` is at the right edge in full height. */
  size?: 's' | 'm' | 'l' | 'xl' | 'side' | undefined;
  /** `false` while the dialog must be answered or a request is pending. */
  dismissible?: boolean | undefined;
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Gets the focus on closing instead of the previously focused element; a function that returns false moves no focus. */
  finalFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | boolean) | undefined;
  /** Adds a close button with this name at the top right. For a dialog that asks nothing. */
  closeLabel?: string | undefined;
  /** Shown above the title: a seal. */
  top?: ReactNode;
  className?: string | undefined;
};

export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    children,
    actions,
    size = 's',
    dismissible = true,
    top,
    className,
  } = props;
  const opener = useRef<Element>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  const initialFocus = (opened: string) => {
    // Base UI focuses in the next frame, which scrolls a long dialog past its title. This scrolls back before it is drawn.
    queueMicrotask(() => requestAnimationFrame(() => keepTop(viewport.current, popup.current)));
    // Without a ref this is the default of Base UI: a touch does not focus a field, so that no keyboard covers the dialog.
    if (!props.initialFocus && opened === 'touch') return popup.current;
    return props.initialFocus?.current ?? true;
  };
  return (
    <Parts.Root
      open={open}
      onOpenChange={next => !next && dismissible && onClose()}
      disablePointerDismissal={!dismissible}
    >
      <Parts.Portal>
        {/* Also covers a dialog that opened this one. */}
        <Parts.Backdrop className="Dialog-scrim" forceRender />
        <Parts.Viewport ref={viewport} className="Dialog-viewport">
          <Parts.Popup
            ref={popup}
            className={classNames('Dialog', `Dialog--${size}`, className)}
            initialFocus={initialFocus}
            finalFocus={props.finalFocus ?? (() => focusAfter(opener.current))}
          >
            {props.closeLabel !== undefined && (
              <IconButton className="Dialog-close" icon="close" label={props.closeLabel} onClick={onClose} />
            )}
            {top}
            <Parts.Title className="Dialog-title">{title}</Parts.Title>
            {description && (
              <Parts.Description className="Dialog-description" render={<div />}>
                {description}
              </Parts.Description>
            )}
            {children}
            {actions && <div className="Dialog-actions">{actions}</div>}
          </Parts.Popup>
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Root>
  );
}

/**
 * Shows the top of a dialog, and again whenever it grows, until the first key or pointer event: much of it can arrive late. If
 * what has the focus is then out of view, the dialog itself gets the focus.
 */
function keepTop(viewport: HTMLElement | null, popup: HTMLElement | null) {
  if (!viewport || !popup) return;
  const size = new ResizeObserver(() => {
    viewport.scrollTo(0, 0);
    const focused = popup.querySelector(':focus');
    if (focused && focused.getBoundingClientRect().bottom > innerHeight) popup.focus({ preventScroll: true });
  });
  size.observe(popup);
  // The first event removes all listeners. On a phone, the one for the wheel would otherwise stay and keep the closed dialog.
  const acted = new AbortController();
  const stop = () => {
    size.disconnect();
    acted.abort();
  };
  for (const act of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(act, stop, { capture: true, signal: acted.signal });
}

/**
 * What gets the focus once a dialog has faded out: its opener or, if the opener is gone, the dialog under this one or the
 * page's title. The focus stays (`false`) if another dialog, such as the list of commands, has opened in the meantime. It also
 * stays if the opener is gone and something else has the focus.
 */
function focusAfter(opener: Element | null): HTMLElement | boolean {
  const { activeElement, body } = document;
  if (activeElement?.closest('[role="dialog"]:not([data-closed])')) return false;
  if (opener?.isConnected) return true;
  if (activeElement !== body && !activeElement?.closest('[role="dialog"]')) return false;
  const places = ['[role="dialog"]:not([data-closed])', 'main h1[tabindex]'];
  return places.map(place => document.querySelector<HTMLElement>(place)).find(found => found) ?? true;
}
