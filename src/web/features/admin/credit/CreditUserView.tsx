/**
 * Credits a customer from the bank's treasury. Every credit has a new idempotency key, unless it retries one whose answer was
 * lost. The form is prefilled with such a credit when the view opens again.
 */
import { type SubmitEvent, useEffect, useState } from 'react';
import { admin as limits, maxLength } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { whyNoAmount } from '#web/bank/amountRule.ts';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { focusField } from '#web/base/formRules.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';
import { adminSlice, creditRead } from '../adminSlice.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { words } from '../words.ts';
import { CreditHolder } from './CreditHolder.tsx';
import { CreditResult } from './CreditResult.tsx';
import { CreditSlip } from './CreditSlip.tsx';
import { creditCustomer, sameCredit } from './creditCustomer.ts';
import './CreditUserView.css';

const blank = { userAccountNumber: '', amount: '', description: '' };

export function CreditUserView({ menu }: ViewProps) {
  const dispatch = useAppDispatch();
  const { isSending, unknown, outcome } = useAppSelector(adminSlice.selectors.credit);
  const [form, setForm] = useState(() => {
    const last = unknown.at(-1)?.body;
    return last
      ? {
          userAccountNumber: last.userAccountNumber,
          amount: String(last.amount),
          description: last.description,
        }
      : blank;
  });
  const [isChecked, setIsChecked] = useState(false);
  const shown = useLastKnown(outcome ?? undefined);
  const isMade = outcome !== null && 'data' in outcome;
  useEffect(() => {
    if (!isMade) return;
    setForm(blank);
    setIsChecked(false);
  }, [isMade]);

  const { userAccountNumber, amount, description } = form;
  const change = (changed: Partial<typeof blank>) => setForm(known => ({ ...known, ...changed }));
  const filled = userAccountNumber !== '' && amount.trim() !== '' && description.trim() !== '';
  const { holder, again } = useHolder(useAccountHolderQuery, userAccountNumber);
  const cents = typedToCents(amount);
  const body = cents !== undefined && {
    userAccountNumber,
    amount: centsToDollars(cents),
    description: description.trim(),
  };
  const needsSecond = useSecondPerson()(body ? body.amount : 0);
  const note = filled ? needsSecond && words.needsSecond : words.creditMissing;
  const isUnknown = !isSending && body && sameCredit(unknown, body) !== undefined;

  const isAmountWrong = whyNoAmount(amount) !== undefined;
  const isNumberWrong = holder.state === 'incomplete' || holder.state === 'mistyped';
  // The button is enabled once every field is filled. If a field is wrong, a press moves the focus to it and sends nothing.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!filled) return;
    setIsChecked(true);
    if (isNumberWrong) focusField(event.currentTarget, 'userAccountNumber');
    else if (isAmountWrong || !body) focusField(event.currentTarget, 'amount');
    else void dispatch(creditCustomer(body));
  };

  return (
    <>
      <ViewHead menu={menu} title={adminMessages.creditUser} />
      {isUnknown && (
        <Banner kind="warning" className="CreditUserView-unknown" title={words.creditUnknown}>
          {words.creditAskAgain}
        </Banner>
      )}
      <form className="CreditUserView" noValidate onSubmit={submit}>
        <Panel className="CreditUserView-fields">
          <HolderField
            label={words.accountNumber}
            name="userAccountNumber"
            required
            hint={words.accountNumberHint}
            value={userAccountNumber}
            onChange={number => change({ userAccountNumber: number })}
            holder={holder}
            onAgain={again}
            isMissing={isChecked && userAccountNumber !== ''}
          >
            {found => <CreditHolder {...found} />}
          </HolderField>
          {holder.state === 'found' && <MatchWarning state={holder.found.screening} />}
          <AmountField
            label={words.amount}
            name="amount"
            required
            min={limits.creditMinDollars}
            step={limits.creditStepDollars}
            hint={needsSecond ? words.creditHintLater : words.creditHint}
            value={amount}
            onChange={typed => change({ amount: typed })}
            error={isAmountWrong && transferMessages.invalidAmount}
            tooLarge={words.creditTooLarge}
          />
          <TextAreaField
            label={words.description}
            name="description"
            required
            hint={words.descriptionHint}
            rows={3}
            maxLength={maxLength.description}
            value={description}
            onChange={text => change({ description: text.replaceAll(/\s*\n\s*/g, ' ') })}
          />
        </Panel>
        <CreditSlip
          holder={holder.state === 'found' ? holder.found : undefined}
          accountNumber={userAccountNumber}
          amount={cents}
          description={description}
        >
          {note && (
            <p id="credit-note" className="type-small">
              {note}
            </p>
          )}
          <Button
            type="submit"
            wide
            disabled={!filled}
            aria-describedby={note ? 'credit-note' : undefined}
            busy={isSending}
            busyLabel={transferMessages.processing}
          >
            {adminMessages.creditUser}
          </Button>
        </CreditSlip>
      </form>
      <LeaveGuard
        when={Object.values(form).some(text => text !== '') && !isSending && !isUnknown && outcome === null}
        orTab
      />
      {shown && (
        <CreditResult open={outcome !== null} outcome={shown} onClose={() => dispatch(creditRead())} />
      )}
    </>
  );
}
