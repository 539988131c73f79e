/** The amount from which a second operator or owner must approve, and the dialog that changes it. */
import { useEffect, useState } from 'react';
import { fourEyesApi } from '#contract/fourEyes.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, dollarsText, formatDollars, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { whyNoAmount } from '#web/bank/amountRule.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { focusField } from '#web/base/formRules.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Failure, failureOf, requestRefusalText } from '../panel/actRefusalText.ts';
import { useMay } from '../panel/useRole.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { requestAddress } from '../panel/viewAddress.ts';
import {
  useChangeFourEyesMutation,
  useFourEyesQuery,
  useRequestsQuery,
  waitingRequests,
} from '../staffCalls.ts';
import { type Notice, noticeOf, ownRequestNotice } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { staffWords as words } from './staffWords.ts';
import './LimitPanel.css';

export function LimitPanel({ onNotice }: { onNotice: (notice: Notice) => void }) {
  const { data } = useFourEyesQuery(undefined, pollingOptions);
  const waiting = useRequestsQuery(waitingRequests, pollingOptions).data?.requests.find(
    ({ kind }) => kind === 'limit',
  );
  const mayChange = useMay()(fourEyesApi.changeFourEyes);
  const [open, setOpen] = useState(false);
  if (!data) return null;
  return (
    <Panel className="LimitPanel" label={words.limitTitle}>
      <h2 className="type-head">{words.limitTitle}</h2>
      <p>{data.from === null ? words.limitOff : words.limitOn(formatDollars(data.from))}</p>
      {!data.isOn && <p className="type-small">{words.alone}</p>}
      {waiting && (
        <p className="type-small">
          {words.limitWaits}{' '}
          <Link className="link" to={requestAddress(waiting._id)}>
            {panelWords.viewRequest}
          </Link>
        </p>
      )}
      {mayChange && (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {words.changeLimit}
        </Button>
      )}
      <LimitDialog
        open={open}
        from={data.from}
        onClose={() => setOpen(false)}
        onDone={notice => {
          setOpen(false);
          onNotice(notice);
        }}
      />
    </Panel>
  );
}

type LimitDialogProps = {
  open: boolean;
  from: number | null;
  onClose: () => void;
  onDone: (notice: Notice) => void;
};

function LimitDialog({ open, from, onClose, onDone }: LimitDialogProps) {
  const [change, { isLoading }] = useChangeFourEyesMutation();
  const [amount, setAmount] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [failed, setFailed] = useState<Failure>();
  useEffect(() => {
    if (!open) return;
    setAmount(dollarsText(from));
    setWrong(false);
    setFailed(undefined);
  }, [open, from]);

  const needsSecond = useSecondPerson(!open)();

  const cents = typedToCents(amount);
  const isOff = amount.trim() === '';
  const isAmountWrong = !isOff && (!cents || whyNoAmount(amount) !== undefined);
  const submit = async (form: HTMLFormElement) => {
    setWrong(isAmountWrong);
    if (isAmountWrong) return focusField(form, 'from');
    const answer = await change({ body: { from: cents ? centsToDollars(cents) : null } });
    if (answer.data) return onDone(noticeOf(answer.data.data, answer.data.message));
    const own = ownRequestNotice(answer.error);
    if (own) onDone(own);
    else setFailed(failureOf(answer.error, requestRefusalText(answer.error, needsSecond)));
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.changeLimit}
      submitLabel={words.saveLimit}
      busy={isLoading}
      note={needsSecond && panelWords.needsSecond}
      failed={failed}
      isEdited={amount !== dollarsText(from)}
      onSubmit={submit}
    >
      <AmountField
        label={words.limitField}
        name="from"
        hint={words.limitHint}
        value={amount}
        onChange={setAmount}
        error={isWrong && isAmountWrong ? transferMessages.invalidAmount : undefined}
      />
    </FormDialog>
  );
}
