/** A layout route around the dashboard: shows the panel when a call of its frame or of any screen must be confirmed. */
import { lazy, Suspense, useEffect, useState } from 'react';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import { canUsePasskeys } from '#web/base/passkeys.ts';
import { selectCustomer } from '#web/base/session.ts';
import { hostStepUps, type StepUpAsked, type StepUpEnd } from '#web/base/stepUp.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Outlet } from '#web/router/Outlet.tsx';

/** Fetched when it is first needed: most visits confirm nothing. */
const StepUpPanel = lazy(async () => ({ default: (await import('./StepUpPanel.tsx')).StepUpPanel }));

type Open = StepUpAsked & { onEnd: (end: StepUpEnd) => void };

export function StepUpHost() {
  // The key closes a panel of the previous customer.
  const customerId = useAppSelector(selectCustomer)?._id;
  return (
    <>
      <Outlet />
      <PanelWhenAsked key={customerId} />
    </>
  );
}

function PanelWhenAsked() {
  const [open, setOpen] = useState<Open>();
  useEffect(() => {
    let cancel = () => {};
    const release = hostStepUps(async ({ challenge, confirms, withoutApp }) => {
      const methods = challenge.methods.filter(method => method !== 'passkey' || canUsePasskeys());
      if (withoutApp) methods.sort((one, other) => Number(one === 'totp') - Number(other === 'totp'));
      // The screen that asked says why, so a panel that only says the same would be a second dialog.
      if (methods.length === 0)
        // After a new release, the file may be gone.
        return await import('./words.ts').then(
          words => ({ reason: words.describeNoWay(challenge) }),
          () => ({ reason: stepUpMessages.notByEmail }),
        );
      return await new Promise(resolve => {
        const onEnd = (end: StepUpEnd) => {
          setOpen(undefined);
          resolve(end);
        };
        cancel = () => resolve(undefined);
        setOpen({ challenge: { ...challenge, methods }, confirms, onEnd });
      });
    });
    return () => {
      release();
      cancel();
    };
  }, []);
  return (
    open && (
      <Suspense>
        <StepUpPanel key={open.challenge._id} {...open} />
      </Suspense>
    )
  );
}
