/** From which amount a second operator or owner must approve, and the dialog that changes it. */
import { type SubmitEvent, useEffect, useId, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, dollarsText, formatDollars, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { focusField } from '#web/base/formRules.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { useChangeFourEyesMutation, useFourEyesQuery } from '../staffCalls.ts';
import { type Notice, noticeOf } from '../users/NoticeDialog.tsx';
import { staffWords as words } from './staffWords.ts';
import './LimitPanel.css';

export function LimitPanel({ onNotice }: { onNotice: (notice: Notice) => void }) {
  const { data } = useFourEyesQuery();
  const [open, setOpen] = useState(false);
  if (!data) return null;
  return (
    <Panel className="LimitPanel" label={words.limitTitle}>
      <h2 className="type-head">{words.limitTitle}</h2>
      <p>{data.from === null ? words.limitOff : words.limitOn(formatDollars(data.from))}</p>
      {!data.isOn && <p className="type-small">{words.alone}</p>}
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {words.changeLimit}
      </Button>
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
  const [failed, setFailed] = useState('');
  const formId = useId();
  useEffect(() => {
    if (!open) return;
    setAmount(dollarsText(from));
    setWrong(false);
    setFailed('');
  }, [open, from]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const cents = typedToCents(amount);
    const isOff = amount.trim() === '';
    setWrong(!isOff && !cents);
    if (!isOff && !cents) return focusField(event.currentTarget, 'from');
    const answer = await change({ body: { from: isOff || !cents ? null : centsToDollars(cents) } });
    if (answer.data) onDone(noticeOf(answer.data.data, answer.data.message));
    else setFailed(staffRefusalText(answer.error, errorMessages.fault));
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible={!isLoading}
      title={words.changeLimit}
      actions={
        <>
          <Button kind="quiet" disabled={isLoading} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button type="submit" form={formId} busy={isLoading}>
            {words.saveLimit}
          </Button>
        </>
      }
    >
      <form id={formId} className="LimitPanel-form" noValidate onSubmit={event => void submit(event)}>
        <AmountField
          label={words.limitField}
          name="from"
          hint={words.limitHint}
          value={amount}
          onChange={setAmount}
          error={isWrong ? transferMessages.invalidAmount : undefined}
        />
        {failed && <Banner kind="error" title={failed} />}
      </form>
    </Dialog>
  );
}
