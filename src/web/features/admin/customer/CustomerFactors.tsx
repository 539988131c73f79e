/** A customer's second factors. Staff can request their removal, which takes effect after a waiting period. */
import { useEffect, useState } from 'react';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useCancelFactorResetMutation, useResetFactorsMutation } from '../account/factorsCalls.ts';
import { actRefusalText, failureOf } from '../panel/actRefusalText.ts';
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
  /** The bank's answer to a request for a removal (`asks`), or to a cancellation. */
  const [done, setDone] = useState({ text: '', asks: false });
  const [failed, setFailed] = useState('');
  // Once a removal is canceled or made, or a new one is requested, an answer that says otherwise disappears.
  const isAsked = factorReset !== undefined;
  useEffect(() => {
    setDone(known => (known.asks === isAsked ? known : { text: '', asks: isAsked }));
  }, [isAsked]);
  const hasFactors = factors.hasApp || factors.passkeys > 0;

  const cancelReset = async () => {
    setFailed('');
    const answer = await cancel(call);
    if (answer.data) setDone({ text: answer.data.message, asks: false });
    else setFailed(actRefusalText(answer.error, name));
  };
  return (
    <Panel label={words.factors}>
      <h2 className="type-head">{words.factors}</h2>
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
            <Button kind="quiet" busy={canceling.isLoading} onClick={() => void cancelReset()}>
              {words.cancelReset}
            </Button>
          )}
        </>
      )}
      <DoneLine text={done.text} />
      {failed && <Banner kind="error" title={failed} />}
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
