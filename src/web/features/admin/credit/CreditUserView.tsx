/**
 * Credits a customer from the bank's treasury. Each press of the button sends a new idempotency key; only a retry of the
 * same credit after a lost answer reuses the key. The form is prefilled with such a credit when the view opens again.
 */
import { type FormEvent, useEffect, useState } from 'react';
import { admin as limits, maxLength } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, typedToCents } from '#contract/money.ts';
import { plainNumber } from '#contract/typedNumbers.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';
import { adminSlice, creditRead } from '../adminSlice.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import { CreditHolder } from './CreditHolder.tsx';
import { CreditResult } from './CreditResult.tsx';
import { CreditSlip } from './CreditSlip.tsx';
import { creditCustomer, sameCredit } from './creditCustomer.ts';
import './CreditUserView.css';

const blank = { typedNumber: '', amount: '', description: '' };

export function CreditUserView({ menu }: ViewProps) {
  const dispatch = useAppDispatch();
  const { isSending, unknown, outcome } = useAppSelector(adminSlice.selectors.credit);
  const [form, setForm] = useState(() => {
    const last = unknown.at(-1)?.body;
    return last
      ? {
          typedNumber: last.userAccountNumber,
          amount: String(last.amount),
          description: last.description,
        }
      : blank;
  });
  const shown = useLastKnown(outcome ?? undefined);
  const isMade = outcome !== null && 'data' in outcome;
  useEffect(() => {
    if (isMade) setForm(blank);
  }, [isMade]);

  const { typedNumber, amount, description } = form;
  const change = (changed: Partial<typeof blank>) => setForm(known => ({ ...known, ...changed }));
  const userAccountNumber = plainNumber(typedNumber);
  const filled = userAccountNumber !== '' && amount !== '' && description.trim() !== '';
  const { holder, again } = useHolder(useAccountHolderQuery, userAccountNumber);
  const cents = typedToCents(amount);
  const body = cents !== undefined && {
    userAccountNumber,
    amount: centsToDollars(cents),
    description: description.trim(),
  };
  const isUnknown = !isSending && body && sameCredit(unknown, body) !== undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (filled && body) void dispatch(creditCustomer(body));
  };

  return (
    <>
      <ViewHead menu={menu} title={adminMessages.creditUser} />
      {isUnknown && (
        <Banner kind="warning" className="CreditUserView-unknown" title={words.creditUnknown}>
          {words.creditAskAgain}
        </Banner>
      )}
      <div className="CreditUserView">
        <Panel>
          <form noValidate onSubmit={submit}>
            <HolderField
              label={words.accountNumber}
              name="userAccountNumber"
              required
              hint={words.accountNumberHint}
              value={typedNumber}
              onChange={number => change({ typedNumber: number })}
              holder={holder}
              onAgain={again}
            >
              {found => <CreditHolder {...found} />}
            </HolderField>
            <AmountField
              label={words.amount}
              name="amount"
              required
              min={limits.creditMinDollars}
              step={limits.creditStepDollars}
              hint={words.creditHint}
              value={amount}
              onChange={typed => change({ amount: typed })}
              error={amount !== '' && cents === undefined ? transferMessages.invalidAmount : undefined}
            />
            <TextAreaField
              label={words.description}
              name="description"
              required
              rows={3}
              maxLength={maxLength.description}
              value={description}
              onChange={text => change({ description: text.replaceAll(/\s*\n\s*/g, ' ') })}
            />
            <Button
              type="submit"
              wide
              disabled={!filled}
              busy={isSending}
              busyLabel={transferMessages.processing}
            >
              {adminMessages.creditUser}
            </Button>
          </form>
        </Panel>
        <CreditSlip
          holder={holder.state === 'found' ? holder.found : undefined}
          accountNumber={userAccountNumber}
          amount={cents}
          description={description}
        />
      </div>
      {shown && (
        <CreditResult open={outcome !== null} outcome={shown} onClose={() => dispatch(creditRead())} />
      )}
    </>
  );
}
