/** A layout route around the dashboard: shows the panel when a call of its frame or of any screen must be confirmed. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { selectCustomer } from '#web/base/session.ts';
import { hostStepUps, type StepUpAsked } from '#web/base/stepUp.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Outlet } from '#web/router/Outlet.tsx';

/** Fetched when it is first needed: most visits confirm nothing. */
const StepUpPanel = lazy(async () => ({ default: (await import('./StepUpPanel.tsx')).StepUpPanel }));

type Open = StepUpAsked & { onEnd: (proof: string | undefined) => void };

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
    const release = hostStepUps(
      asked =>
        new Promise(resolve => {
          const onEnd = (proof: string | undefined) => {
            setOpen(undefined);
            resolve(proof);
          };
          cancel = () => resolve(undefined);
          setOpen({ ...asked, onEnd });
        }),
    );
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
