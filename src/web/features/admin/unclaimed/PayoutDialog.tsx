/** Pays out an unclaimed balance, to another bank or to a customer. */
import { useEffect, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import { formatDollars } from '#contract/money.ts';
import { type UnclaimedBalance, unclaimedApi } from '#contract/unclaimed.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { fieldErrors } from '#web/base/callError.ts';
import { checkForm, errorsWithout, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';
import { CreditHolder } from '../credit/CreditHolder.tsx';
import { unclaimedCalls, useUnclaimedBalancesQuery } from '../deskCalls.ts';
import { type Failure, moneyRefusalText } from '../panel/actRefusalText.ts';
import { useKeyedPress } from '../panel/useKeyedPress.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { transactionAddress } from '../panel/viewAddress.ts';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { type Notice, noticeOf, ownRequestNotice } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { unclaimedWords as words } from './unclaimedWords.ts';

export type PayoutDialogProps = {
  /** The balance; the dialog is open while it is set. */
  balance: UnclaimedBalance | undefined;
  /** The page of waiting balances behind the dialog; undefined until it is loaded. */
  listed: readonly UnclaimedBalance[] | undefined;
  onClose: () => void;
  onDone: (notice: Notice) => void;
};

const blank = { bankName: '', accountName: '', accountNumber: '', receiverAccountNumber: '', reason: '' };
type Way = 'bank' | 'customer';

export function PayoutDialog({ balance, listed, onClose, onDone }: PayoutDialogProps) {
  const shown = useLastKnown(balance);
  const dispatch = useAppDispatch();
  const [way, setWay] = useState<Way>('bank');
  const [fields, setFields] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failed, setFailed] = useState<Failure>();
  /** The bank refused because a colleague acted on the balance first. */
  const [refused, setRefused] = useState('');
  const [busy, setBusy] = useState(false);
  const press = useKeyedPress();
  const isOpen = balance !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    setWay('bank');
    setFields(blank);
    setErrors({});
    setFailed(undefined);
    setRefused('');
  }, [isOpen]);
  const byColleague = useColleagueAct(balance, listed);
  const over = refused || byColleague;
  const { holder, again } = useHolder(useAccountHolderQuery, fields.receiverAccountNumber);
  const secondPerson = useSecondPerson(!isOpen);
  // A payout to another bank cannot be reversed, so it needs a second person whatever its amount.
  const needsSecond = secondPerson(way === 'bank' ? undefined : (shown?.amount ?? 0));
  const isEdited = Object.values(fields).some(Boolean);
  const change = (changed: Partial<typeof blank>) => {
    setFields(known => ({ ...known, ...changed }));
    setErrors(known => errorsWithout(known, changed));
  };

  const submit = async (form: HTMLFormElement) => {
    setFailed(undefined);
    const { bankName, accountName, accountNumber, receiverAccountNumber, reason } = fields;
    const toBank = { bankName, accountName, accountNumber, reason };
    const toCustomer = { receiverAccountNumber, reason };
    const checked =
      way === 'bank'
        ? checkForm(unclaimedApi.payOutUnclaimed.body, toBank)
        : checkForm(unclaimedApi.assignUnclaimed.body, toCustomer);
    setErrors(checked.errors ?? {});
    if (!checked.form) return focusField(form, Object.keys(checked.errors));
    const params = { id: shown!._id };
    const content = JSON.stringify([params, way, fields]);
    setBusy(true);
    const { payOutUnclaimed, assignUnclaimed } = unclaimedCalls.endpoints;
    const outcome = await press(content, keyed =>
      way === 'bank'
        ? dispatch(payOutUnclaimed.initiate({ ...keyed, params, body: toBank }))
        : dispatch(assignUnclaimed.initiate({ ...keyed, params, body: toCustomer })),
    );
    setBusy(false);
    if (!('error' in outcome)) return onDone(noticeOf(outcome.data, outcome.message));
    if (outcome.isUnknown) return setFailed({ text: words.unknown, isUnknown: true });
    const own = ownRequestNotice(outcome.error);
    if (own) return onDone(own);
    setErrors(fieldErrors(outcome.error));
    const text = moneyRefusalText(outcome.error);
    if (outcome.error.code === 'CONFLICT') setRefused(text);
    else setFailed({ text, isUnknown: false });
  };

  return (
    <FormDialog
      open={isOpen}
      onClose={onClose}
      title={words.payOutTitle(formatDollars(shown?.amount ?? 0))}
      description={words.payOutText}
      submitLabel={words.payOut}
      busy={busy}
      note={needsSecond && panelWords.needsSecond}
      failed={failed}
      over={over}
      isEdited={isEdited}
      onSubmit={submit}
    >
      <LeaveGuard when={isOpen && isEdited && !over} orTab />
      {shown && (
        <Slip
          rows={[
            {
              label: words.account,
              value: shown.accountNumber ? formatAccountNumber(shown.accountNumber) : panelWords.none,
            },
            { label: words.how, value: words.origins[shown.origin] },
            { label: words.since, value: dayAndTime(shown.at) },
            {
              label: words.reference,
              value: (
                <Link className="link num" to={transactionAddress(shown._id)}>
                  {shown.reference}
                </Link>
              ),
            },
          ]}
        />
      )}
      <Segmented
        legend={words.to}
        value={way}
        onChange={setWay}
        options={(['bank', 'customer'] as const).map(value => ({ value, label: words.ways[value] }))}
      />
      {way === 'bank' ? (
        <>
          <TextField
            label={words.bankName}
            name="bankName"
            autoComplete="off"
            required
            maxLength={maxLength.bankName}
            value={fields.bankName}
            onChange={bankName => change({ bankName })}
            error={errors.bankName}
          />
          <TextField
            label={words.accountName}
            name="accountName"
            autoComplete="off"
            required
            maxLength={maxLength.accountName}
            value={fields.accountName}
            onChange={accountName => change({ accountName })}
            error={errors.accountName}
          />
          <TextField
            label={words.accountNumber}
            name="accountNumber"
            autoComplete="off"
            figures
            required
            maxLength={maxLength.externalAccountNumber + 8}
            value={fields.accountNumber}
            onChange={accountNumber => change({ accountNumber: accountNumber.replace(/[\s-]/g, '') })}
            error={errors.accountNumber}
          />
        </>
      ) : (
        <>
          <HolderField
            label={panelWords.accountNumber}
            name="receiverAccountNumber"
            required
            hint={panelWords.accountNumberHint}
            value={fields.receiverAccountNumber}
            onChange={receiverAccountNumber => change({ receiverAccountNumber })}
            holder={holder}
            onAgain={again}
            isMissing={errors.receiverAccountNumber !== undefined}
          >
            {found => <CreditHolder {...found} />}
          </HolderField>
          {holder.state === 'found' && <MatchWarning state={holder.found.screening} />}
        </>
      )}
      <TextAreaField
        label={panelWords.reason}
        name="reason"
        hint={words.reasonHint}
        required
        rows={3}
        maxLength={maxLength.reason}
        value={fields.reason}
        onChange={reason => change({ reason })}
        error={errors.reason}
      />
    </FormDialog>
  );
}

/** What the lists say became of the balance while the dialog is open; empty if it still waits. */
function useColleagueAct(
  balance: UnclaimedBalance | undefined,
  listed: readonly UnclaimedBalance[] | undefined,
): string {
  const row = listed?.find(({ _id }) => _id === balance?._id);
  // A balance that left the page may have moved to another page, so only the list of paid balances says that it was paid.
  const { currentData: paid } = useUnclaimedBalancesQuery(
    { query: { list: 'paid', page: 1, search: balance?.reference ?? '' } },
    { ...pollingOptions, skip: !balance || !listed || row !== undefined },
  );
  if (row?.requestId) return words.requestWaits;
  return paid?.balances.some(({ _id }) => _id === balance?._id) ? unclaimedMessages.paidBefore : '';
}
