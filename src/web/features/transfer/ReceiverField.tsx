/** The receiver's account number with what is known about it: the hint, the waiting, the holder's name or what is wrong. */
import type { RefObject } from 'react';
import { messages } from '#contract/messages.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { GroupedDigits } from './GroupedDigits.tsx';
import type { Receiver } from './receiver.ts';
import { words } from './words.ts';
import './ReceiverField.css';

export type ReceiverFieldProps = {
  value: string;
  onChange: (digits: string) => void;
  receiver: Receiver;
  onAgain: () => void;
  field: RefObject<HTMLInputElement | null>;
  /** What the form found wrong with it on sending. */
  error: string | undefined;
};

export function ReceiverField({ value, onChange, receiver, onAgain, field, error }: ReceiverFieldProps) {
  const incomplete = error !== undefined && receiver.state === 'incomplete';
  const wrong = ['mistyped', 'own', 'unknown'].includes(receiver.state) || incomplete;
  return (
    <GroupedDigits
      label={messages.transfer.receiver}
      value={value}
      onChange={onChange}
      field={field}
      error={wrong && <span className="ReceiverField-wrong">{receiver.message}</span>}
      status={wrong ? '' : <Known receiver={receiver} onAgain={onAgain} />}
    />
  );
}

function Known({ receiver, onAgain }: { receiver: Receiver; onAgain: () => void }) {
  if (receiver.state === 'found') return <Holder name={receiver.name} />;
  return (
    <div className="ReceiverField-known">
      {receiver.state === 'verifying' && (
        <>
          <Spinner />
          {receiver.message}
        </>
      )}
      {receiver.state === 'incomplete' && words.numberHint}
      {receiver.state === 'unanswered' && (
        <>
          {receiver.message}
          <button type="button" className="link ReceiverField-again" onClick={onAgain}>
            {messages.app.tryAgain}
          </button>
        </>
      )}
    </div>
  );
}

function Holder({ name }: { name: string }) {
  const [firstName = '', ...others] = name.split(' ');
  return (
    <div className="ReceiverField-known">
      <Avatar size="s" decorative firstName={firstName} lastName={others.at(-1) ?? ''} />
      <div>
        <b>
          {name}
          <Icon name="check" size={18} label={words.verified} />
        </b>
        <span>{words.holderHint}</span>
      </div>
    </div>
  );
}
