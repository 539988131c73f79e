/**
 * The transfer form's state: its texts, the receiver's lookup, and which problems are shown. A field's problem is shown once
 * the customer has left the field or pressed Send Money, and disappears as soon as its cause is gone.
 */
import { useState } from 'react';
import type { DailyLimit } from '#contract/limits.ts';
import type { Cents } from '#contract/money.ts';
import type { Payee } from '#contract/payees.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { choiceOf } from '#web/bank/banks.ts';
import { useHolder } from '#web/bank/holder.ts';
import { useVerifyAccountQuery } from './transferCalls.ts';
import {
  emptyForm,
  findProblems,
  type Problem,
  sendingOf,
  type TransferField,
  type TransferForm,
  type TransferKind,
} from './transferForm.ts';

const allFields = Object.keys(emptyForm) as TransferField[];
const none: readonly TransferField[] = [];

/**
 * `own` is the customer's own account number. `balance` and `limit` are undefined until loaded. While amounts are hidden, no
 * problem names the balance or the limit.
 */
export function useTransferForm(
  own: string,
  balance: Cents | undefined,
  isBalanceHidden: boolean,
  limit: DailyLimit | undefined,
) {
  const [kind, setKind] = useState<TransferKind>('internal');
  const [form, setForm] = useState(emptyForm);
  // The number typed for the other kind of transfer, so that switching the kind and back loses nothing.
  const [otherNumber, setOtherNumber] = useState('');
  const [checked, setChecked] = useState(none);
  // The problems that the last press found. The banner shows those that are still there.
  const [reported, setReported] = useState<readonly Problem[]>([]);

  const number = kind === 'internal' ? form.receiverAccountNumber : '';
  const { holder: receiver, again } = useHolder(useVerifyAccountQuery, number, own);
  const sending = sendingOf(kind, form);
  const problems = findProblems(sending, form, receiver, balance, isBalanceHidden, limit);
  const isShown = (problem: Problem) => checked.includes(problem.field);
  const shown = problems.filter(isShown);

  return {
    kind,
    form,
    sending,
    receiver,
    again,
    /** Whether no field has a problem, shown or not. */
    isValid: problems.length === 0,
    /** Whether leaving the screen would lose anything. */
    isChanged: otherNumber !== '' || Object.values(form).some(text => text !== ''),
    change: (changed: Partial<TransferForm>) => {
      // A field is checked while it is typed only if it already shows a problem. When the field for another bank's name
      // appears, it is not checked yet.
      setChecked(
        checked.filter(field =>
          field in changed
            ? shown.some(one => one.field === field)
            : field !== 'customBankName' || changed.bankName === undefined,
        ),
      );
      setForm(before => ({ ...before, ...changed }));
    },
    /** The customer has left a field: it is checked, unless it is still empty. */
    leave: (field: TransferField) => {
      if (form[field] !== '') setChecked(before => [...before, field]);
    },
    choose: (chosen: TransferKind) => {
      setKind(chosen);
      setForm(before => ({ ...before, receiverAccountNumber: otherNumber }));
      setOtherNumber(form.receiverAccountNumber);
      setChecked(none);
      setReported([]);
    },
    /** Fills in a saved receiver. Amount and description stay. */
    pick: ({ kind: chosen, name, accountNumber, bankName = '' }: Payee) => {
      setKind(chosen);
      setForm(({ amount, description }) => ({
        ...emptyForm,
        amount,
        description,
        receiverAccountNumber: chosen === 'internal' ? accountNumber : formatExternalNumber(accountNumber),
        ...choiceOf(bankName),
        ...(chosen === 'external' && { accountName: name }),
      }));
      setOtherNumber('');
      setChecked(none);
      setReported([]);
    },
    /** Empties the form after `sent` was sent, unless the customer has changed it since. */
    clear: (sent: TransferForm) => {
      setForm(now => (now === sent ? emptyForm : now));
      setOtherNumber('');
      setChecked(none);
      setReported([]);
    },
    /** Checks every field. Returns all problems, which the banner and the fields show from now on. */
    check: () => {
      setChecked(allFields);
      setReported(problems);
      return problems;
    },
    /** The text under a field; undefined if it is right or not checked yet. */
    errorOf: (field: TransferField) => {
      const problem = shown.find(one => one.field === field);
      return problem && (problem.reason ? `${problem.message}. ${problem.reason}` : problem.message);
    },
    /** Whether the last press found problems: then the banner stays, even when all are fixed. */
    hasBanner: reported.length > 0,
    /** The problems of the last press that are still there. */
    remaining: reported.filter(one =>
      problems.some(now => now.field === one.field && now.message === one.message),
    ),
  };
}
