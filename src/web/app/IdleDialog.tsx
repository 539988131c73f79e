/** The idle warning of the last minute, with a countdown. Esc counts as "still here", because only a person can press it. */
import { useRef } from 'react';
import { session } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { logOut, logOutAdmin, selectAdmin, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useNavigate } from '#web/router/hooks.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import './IdleDialog.css';

const minutes = session.idleWarningSeconds / 60;

export function IdleDialog({ secondsLeft, onStay }: { secondsLeft: number; onStay: () => void }) {
  const customer = useAppSelector(selectCustomer);
  const admin = useAppSelector(selectAdmin);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const stay = useRef<HTMLButtonElement>(null);
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
      initialFocus={stay}
      title={appMessages.idleTitle}
      description={fill(appMessages.idleText, { minutes })}
      actions={
        <>
          <Button kind="quiet" onClick={leave}>
            {navMessages.logout}
          </Button>
          <Button ref={stay} onClick={onStay}>
            {appMessages.idleStay}
          </Button>
        </>
      }
    >
      <p className="IdleDialog" role="timer">
        {appMessages.idleLeft} <b className="num">{clock}</b>
      </p>
    </Dialog>
  );
}
