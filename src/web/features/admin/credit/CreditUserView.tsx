/**
 * Credits a customer from the bank's treasury. Every credit has a new idempotency key, unless it retries one whose answer was
 * lost. The form is prefilled with such a credit when the view opens again and after another credit is made.
 */
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { admin as limits, maxLength } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { whyNoAmount } from '#web/bank/amountRule.ts';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import { LeaveDialog } from '#web/bank/LeaveDialog.tsx';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { focusField } from '#web/base/formRules.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { adminSlice, creditRead } from '../adminSlice.ts';
import { sameCreditOf } from '../panel/actRefusalText.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { requestAddress } from '../panel/viewAddress.ts';
import { requestWords } from '../requests/requestWords.ts';
import { SameCreditWarning } from '../requests/SameCreditWarning.tsx';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { words } from '../words.ts';
import { CreditHolder } from './CreditHolder.tsx';
import { CreditResult } from './CreditResult.tsx';
import { CreditSlip } from './CreditSlip.tsx';
import { type CreditBody, creditCustomer, type PressedCredit, sameCredit } from './creditCustomer.ts';
import { useCurrentHolder, useSameCredit } from './useSameCredit.ts';
import './CreditUserView.css';

const blank = { userAccountNumber: '', amount: '', description: '' };

const formOf = (credit: PressedCredit | undefined): typeof blank =>
  credit ? { ...credit.body, amount: String(credit.body.amount) } : blank;

export function CreditUserView({ menu }: ViewProps) {
  const dispatch = useAppDispatch();
  const { isSending, unknown: kept, outcome } = useAppSelector(adminSlice.selectors.credit);
  const own = useAppSelector(selectAdmin)?._id;
  const unknown = kept.filter(({ adminId }) => adminId === own);
  const [form, setForm] = useState(() => formOf(unknown.at(-1)));
  const [isChecked, setIsChecked] = useState(false);
  const shown = useLastKnown(outcome ?? undefined);
  const isMade = outcome !== null && 'data' in outcome;
  /** A press looks for the same credit before it sends. */
  const [isLooking, setIsLooking] = useState(false);
  const isBusy = isSending || isLooking;
  const showNext = () => {
    setForm(formOf(unknown.at(-1)));
    setIsChecked(false);
  };
  /** The question before another credit replaces what was typed. */
  const [asks, setAsks] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const question = {
    reset: () => setAsks(false),
    proceed: () => {
      setAsks(false);
      showNext();
      // The button that had the focus is gone.
      focusField(formElement.current!, 'userAccountNumber');
    },
  };
  const afterMade = useEffectEvent(showNext);
  useEffect(() => {
    if (isMade) afterMade();
  }, [isMade]);

  const { userAccountNumber, amount, description } = form;
  const change = (changed: Partial<typeof blank>) => setForm(known => ({ ...known, ...changed }));
  const isStarted = Object.values(form).some(text => text !== '');
  const filled = userAccountNumber !== '' && /[^$\s]/.test(amount) && description.trim() !== '';
  const { holder, again } = useHolder(useCurrentHolder, userAccountNumber);
  const cents = typedToCents(amount);
  const body =
    cents === undefined
      ? undefined
      : {
          userAccountNumber,
          amount: centsToDollars(cents),
          description: description.trim(),
        };
  const needsSecond = useSecondPerson()(body ? body.amount : 0);
  const note = filled ? needsSecond && words.needsSecond : words.creditMissing;
  const isAmongUnknown = body !== undefined && sameCredit(unknown, body) !== undefined;
  const isUnknown = isAmongUnknown && !isSending;
  const moreUnknown = unknown.length > 1 && words.moreCreditsUnknown(unknown.length - 1);
  const found = holder.state === 'found' ? holder.found : undefined;
  const { made, waiting, isNewFound } = useSameCredit(body, found);
  /** The same credit that the last refusal named. The form may not find it (`readsAlike`, `staff.sameCreditsRead`). */
  const refusedFor = shown && 'error' in shown ? sameCreditOf(shown.error) : undefined;
  const isWarned = made !== undefined || waiting !== undefined;
  const press = async (pressed: CreditBody) => {
    if (isLooking) return;
    setIsLooking(true);
    const isNew = await isNewFound();
    setIsLooking(false);
    if (isNew) return;
    void dispatch(creditCustomer(pressed, refusedFor ?? made?._id ?? null, formElement.current !== null));
  };

  const isAmountWrong = whyNoAmount(amount) !== undefined;
  const isNumberWrong = holder.state === 'incomplete' || holder.state === 'mistyped';
  // The button is enabled once every field is filled. If a field is wrong, a press moves the focus to it and sends nothing.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!filled) return;
    setIsChecked(true);
    if (isNumberWrong) focusField(event.currentTarget, 'userAccountNumber');
    else if (isAmountWrong || !body) focusField(event.currentTarget, 'amount');
    else {
      // The fields are disabled until the result is known, so the focus would be lost.
      event.currentTarget.querySelector<HTMLButtonElement>('[type="submit"]')!.focus();
      void press(body);
    }
  };

  return (
    <>
      <ViewHead menu={menu} title={adminMessages.creditUser} />
      {isUnknown
        ? // If the same credit is found, the slip says what another press does.
          !isWarned && (
            <Banner kind="warning" className="CreditUserView-unknown" title={words.creditUnknown}>
              {words.creditAskAgain} {moreUnknown}
            </Banner>
          )
        : unknown.length > 0 &&
          !isSending && (
            <Banner
              kind="warning"
              className="CreditUserView-unknown"
              title={words.creditsUnknown(unknown.length)}
              action={
                <Button kind="quiet" size="s" onClick={isStarted ? () => setAsks(true) : question.proceed}>
                  {unknown.length === 1 ? words.showCredit : words.showNextCredit}
                </Button>
              }
            />
          )}
      <form ref={formElement} className="CreditUserView" noValidate onSubmit={submit}>
        <Panel>
          {/* Until the result of a press is known, the form and the slip show what it credits. */}
          <fieldset className="CreditUserView-fields" disabled={isBusy}>
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
            <MatchWarning state={found?.screening} />
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
          </fieldset>
        </Panel>
        <CreditSlip
          holder={found}
          accountNumber={userAccountNumber}
          amount={cents}
          description={description}
          isUnknown={isAmongUnknown}
        >
          {made && <SameCreditWarning credit={made} isMaybeOwn={isAmongUnknown} needsSecond={needsSecond} />}
          {waiting && (
            <Banner
              kind="warning"
              title={requestWords.sameCreditWaits}
              action={
                <Button kind="quiet" size="s" to={`?${requestAddress(waiting._id).search}`}>
                  {words.viewRequest}
                </Button>
              }
            >
              {isAmongUnknown ? requestWords.sameRequestMaybeOwn : requestWords.sameCreditWaitsText}
            </Banner>
          )}
          {isUnknown && isWarned && moreUnknown && <p className="type-small">{moreUnknown}</p>}
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
            busy={isBusy}
            busyLabel={transferMessages.processing}
          >
            {adminMessages.creditUser}
          </Button>
        </CreditSlip>
      </form>
      <LeaveGuard when={isStarted && !isSending && !isUnknown && outcome === null} orTab />
      <LeaveDialog blocked={asks ? question : undefined} />
      {shown && (
        <CreditResult open={outcome !== null} outcome={shown} onClose={() => dispatch(creditRead())} />
      )}
    </>
  );
}
