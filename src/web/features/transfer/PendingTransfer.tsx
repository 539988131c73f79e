/**
 * A layout route of all dashboard screens: continues a transfer whose result is not known yet, and shows the result on
 * whichever screen is open.
 */
import { useEffect } from 'react';
import { selectCustomer, selectSessionId } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Outlet } from '#web/router/Outlet.tsx';
import { followTransfers } from './sendMoney.ts';
import { TransferResult } from './TransferResult.tsx';

export function PendingTransfer() {
  const customerId = useAppSelector(state => selectCustomer(state)?._id);
  const sessionId = useAppSelector(selectSessionId);
  const dispatch = useAppDispatch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session must ask about a transfer of the former session
  useEffect(
    () => (customerId ? dispatch(followTransfers(customerId)) : undefined),
    [customerId, sessionId, dispatch],
  );
  return (
    <>
      <Outlet />
      <TransferResult />
    </>
  );
}
