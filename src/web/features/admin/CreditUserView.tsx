/**
 * Gives a customer money from the bank's treasury. Each press carries its own idempotency key; only a press after a
 * lost answer, with nothing changed, repeats the key, so that the same credit cannot be made twice.
 */
import { type FormEvent, useRef, useState } from 'react';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber as accountNumberRule, maxLength } from '#contract/constants.ts';
import { messages } from '#contract/messages.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useCreditMutation } from './adminCalls.ts';
import { CreditAmountField } from './CreditAmountField.tsx';
import { type CreditOutcome, CreditResult } from './CreditResult.tsx';
import { CreditSlip } from './CreditSlip.tsx';
import { nextKey, type PressedKey } from './creditKey.ts';
import { ViewHead, type ViewProps } from './ViewHead.tsx';
import { words } from './words.ts';

export function CreditUserView({ menu }: ViewProps) {
  const [credit, { isLoading }] = useCreditMutation();
  const [typedNumber, setTypedNumber] = useState('');
  const [amount, setAmount] = useState('');
  const [description, setDescription] = useState('');
  const [outcome, setOutcome] = useState<CreditOutcome>();
  const [showing, setShowing] = useState(false);
  const lastPress = useRef<PressedKey>(undefined);

  const userAccountNumber = typedNumber.replaceAll(/\s/g, '');
  const filled = userAccountNumber !== '' && amount !== '' && description.trim() !== '';
  const mistyped =
    userAccountNumber.length >= accountNumberRule.digits && !isAccountNumber(userAccountNumber);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!filled || isLoading) return;
    const body = { userAccountNumber, amount: Number(amount), description: description.trim() };
    lastPress.current = nextKey(lastPress.current, JSON.stringify(body));
    const answer = await credit({ body, idempotencyKey: lastPress.current.key });
    const lost =
      answer.error !== undefined && !('status' in answer.error && typeof answer.error.status === 'number');
    if (!lost) lastPress.current = undefined;
    setOutcome(
      answer.error ? { error: answer.error, lost } : { credited: answer.data.data, userAccountNumber },
    );
    setShowing(true);
    if (answer.error) return;
    setTypedNumber('');
    setAmount('');
    setDescription('');
  };

  return (
    <>
      <ViewHead menu={menu} title={messages.admin.creditUser} />
      <div className="grid max-w-[1000px] items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Panel>
          <form noValidate className="grid gap-5.5" onSubmit={submit}>
            <TextField
              label={words.accountNumber}
              name="userAccountNumber"
              inputMode="numeric"
              autoComplete="off"
              figures
              required
              hint={words.accountNumberHint}
              error={mistyped && messages.transfer.mistyped}
              value={typedNumber}
              onChange={setTypedNumber}
            />
            <CreditAmountField value={amount} onChange={setAmount} />
            <TextAreaField
              label={words.description}
              name="description"
              required
              rows={3}
              maxLength={maxLength.description}
              value={description}
              onChange={text => setDescription(text.replaceAll(/\s*\n\s*/g, ' '))}
            />
            <Button
              type="submit"
              wide
              disabled={!filled}
              busy={isLoading}
              busyLabel={messages.transfer.processing}
            >
              {messages.admin.creditUser}
            </Button>
          </form>
        </Panel>
        <CreditSlip accountNumber={userAccountNumber} amount={amount} description={description} />
      </div>
      {outcome && <CreditResult open={showing} outcome={outcome} onClose={() => setShowing(false)} />}
    </>
  );
}
