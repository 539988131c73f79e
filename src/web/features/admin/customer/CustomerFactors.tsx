/** A customer's second factors. Staff can request their removal, which takes effect after a waiting period. */
import { useRef, useState } from 'react';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useGoneFocus } from '#web/ui/useGoneFocus.ts';
import { useCancelFactorResetMutation, useResetFactorsMutation } from '../account/factorsCalls.ts';
import { actRefusalText, type Failure, failureOf } from '../panel/actRefusalText.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useMay } from '../panel/useRole.ts';
import { detailWords as words } from './detailWords.ts';

export function CustomerFactors({ customer }: { customer: CustomerRecord }) {
  const { factors, factorReset } = customer;
  const name = nameOf(customer) ?? '';
  const call = { params: { id: customer._id } };
  const may = useMay();
  const [reset] = useResetFactorsMutation();
  const [cancel, canceling] = useCancelFactorResetMutation();
  const [asking, setAsking] = useState(false);
  const isAsked = factorReset !== undefined;
  /** The bank's last answer, and whether a removal was waiting then (`asks`). Hidden once the record says otherwise. */
  const [done, setDone] = useState({ text: '', asks: false });
  /** Why a cancellation failed. Not shown once no removal waits. */
  const [failed, setFailed] = useState<Failure>();
  const title = useRef<HTMLHeadingElement>(null);
  const goneFocus = useGoneFocus(title);
  const hasFactors = factors.hasApp || factors.passkeys > 0;

  const cancelReset = async () => {
    setFailed(undefined);
    const answer = await cancel(call);
    if (answer.data) setDone({ text: answer.data.message, asks: false });
    else setFailed(failureOf(answer.error, actRefusalText(answer.error, name)));
  };
  return (
    <Panel label={words.factors}>
      <h2 ref={title} tabIndex={-1} className="type-head">
        {words.factors}
      </h2>
      <Slip
        className="CustomerProfile-facts"
        rows={[
          { label: words.app, value: factors.hasApp ? words.on : words.off },
          { label: words.passkeys, value: String(factors.passkeys) },
        ]}
      />
      {factorReset && (
        <>
          <Banner kind="warning" title={words.resetWaits(dayAndTime(factorReset.effectiveAt))}>
            {words.requestedBy(factorReset.requestedBy)}
          </Banner>
          {may(adminFactorsApi.cancelFactorReset) && (
            <Button
              ref={goneFocus}
              kind="quiet"
              busy={canceling.isLoading}
              onClick={() => void cancelReset()}
            >
              {words.cancelReset}
            </Button>
          )}
        </>
      )}
      <DoneLine text={done.asks === isAsked && done.text} />
      {failed && isAsked && <Banner kind={failed.isUnknown ? 'warning' : 'error'} title={failed.text} />}
      {hasFactors && !factorReset && may(adminFactorsApi.resetFactors) && (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {words.reset}
        </Button>
      )}
      <ReasonDialog
        open={asking}
        title={words.resetTitle(name)}
        hint={words.resetHint}
        kind="danger"
        confirmLabel={words.reset}
        over={asking && factorReset && words.resetWaits(dayAndTime(factorReset.effectiveAt))}
        onConfirm={async reason => {
          const answer = await reset({ ...call, body: { reason } });
          if (!answer.data) return failureOf(answer.error, actRefusalText(answer.error, name));
          setAsking(false);
          setDone({ text: answer.data.message, asks: true });
          return undefined;
        }}
        onClose={() => setAsking(false)}
      >
        {words.resetText}
      </ReasonDialog>
    </Panel>
  );
}
