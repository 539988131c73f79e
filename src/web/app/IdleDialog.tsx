/**
 * The warning of the last minute before an idle logout, and of the last minutes before the session expires, with a countdown.
 * Esc counts as "still here", because only a person can press it.
 */
import { useRef } from 'react';
import { session } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as navMessages from '#contract/messages/nav.ts';
import type { EndWarning } from '#web/base/idle.ts';
import { logOut, logOutAdmin, selectAdmin, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useNavigate } from '#web/router/hooks.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import './IdleDialog.css';

const texts = {
  idle: {
    title: appMessages.idleTitle,
    description: fill(appMessages.idleText, { minutes: session.idleWarningSeconds / 60 }),
    stay: appMessages.idleStay,
  },
  expiry: {
    title: appMessages.expiryTitle,
    description: fill(appMessages.expiryText, { minutes: session.lifeSeconds / 60 }),
    stay: appMessages.expiryContinue,
  },
};

export function IdleDialog({ cause, secondsLeft, onStay }: EndWarning & { onStay: () => void }) {
  const customer = useAppSelector(selectCustomer);
  const admin = useAppSelector(selectAdmin);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const stay = useRef<HTMLButtonElement>(null);
  // Gets the focus when the expiry warning appears: a person who is typing must not press a button by a space or Enter.
  const clockLine = useRef<HTMLParagraphElement>(null);
  const leave = () => {
    if (admin) void dispatch(logOutAdmin());
    if (customer) void dispatch(logOut());
    void navigate(customer ? '/login' : '/admin/login');
  };
  const clock = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
  return (
    <Dialog
      open
      onClose={onStay}
      initialFocus={cause === 'idle' ? stay : clockLine}
      title={texts[cause].title}
      description={texts[cause].description}
      actions={
        <>
          <Button kind="quiet" onClick={leave}>
            {navMessages.logout}
          </Button>
          <Button ref={stay} onClick={onStay}>
            {texts[cause].stay}
          </Button>
        </>
      }
    >
      <p className="IdleDialog" role="timer" ref={clockLine} tabIndex={-1}>
        {appMessages.idleLeft} <b className="num">{clock}</b>
      </p>
    </Dialog>
  );
}
