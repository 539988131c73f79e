/** Renders the toasts with the specification's settings (chapter 9), in the bank's own style and without injected styles. */
import { useEffect, useRef } from 'react';
import { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled';
import { toast as settings } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { copyToast, type ToastMessage } from '#web/ui/showToast.ts';
import './ToastLayer.css';

const icons: Record<NonNullable<ToastMessage['tone']>, IconName> = {
  success: 'check',
  info: 'info',
  error: 'alert',
};
const slide = cssTransition({ enter: 'ToastLayer-enter', exit: 'ToastLayer-exit', collapseDuration: 160 });

function draw({ title, text, tone = 'info', icon = icons[tone], id }: ToastMessage): void {
  toast(
    <div className={`ToastLayer-toast ToastLayer-toast--${tone}`}>
      <Icon name={icon} />
      <b>{title}</b>
      {text && <p>{text}</p>}
    </div>,
    { role: tone === 'error' ? 'alert' : 'status', ...(id ? { toastId: id } : {}) },
  );
}

export function ToastLayer({ said }: { said: readonly ToastMessage[] }) {
  const drawn = useRef(0);
  const { pathname } = useLocation();
  // A toast about copying can name the next page, and would cover it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page dismisses it
  useEffect(() => toast.dismiss(copyToast), [pathname]);
  useEffect(() => {
    for (const message of said.slice(drawn.current)) draw(message);
    drawn.current = said.length;
  }, [said]);
  return (
    <ToastContainer
      position="top-right"
      autoClose={settings.autoCloseMs}
      closeOnClick
      pauseOnHover
      pauseOnFocusLoss
      draggable
      draggablePercent={settings.dragPercent}
      hotKeys={event => event.altKey && event.code === 'KeyT'}
      hideProgressBar
      icon={false}
      transition={slide}
      aria-label={appMessages.toasts}
      closeButton={({ closeToast }) => (
        <button
          type="button"
          className="ToastLayer-close"
          aria-label={appMessages.dismiss}
          onClick={closeToast}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    />
  );
}
