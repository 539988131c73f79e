/** The receiver's account number with what is known about it in one place under it: the hint, the waiting, the holder's name or what is wrong. */
import type { RefObject } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
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
      label={transferMessages.receiver}
      value={value}
      onChange={onChange}
      field={field}
      error={wrong && <Wrong receiver={receiver} />}
      status={wrong ? '' : <Known receiver={receiver} onAgain={onAgain} />}
    />
  );
}

function Wrong({ receiver: { state, message } }: { receiver: Receiver }) {
  const short = state === 'unknown' || state === 'incomplete';
  return (
    <span className="ReceiverField-wrong">
      {message}
      {short && <span className="ReceiverField-hint">{words.numberHint}</span>}
    </span>
  );
}

function Known({ receiver, onAgain }: { receiver: Receiver; onAgain: () => void }) {
  if (receiver.state === 'found') return <Holder name={receiver.name} />;
  return (
    <div className="ReceiverField-known">
      {receiver.state === 'verifying' && (
        <>
          <span className="ReceiverField-sign">
            <Spinner />
          </span>
          {receiver.message}
        </>
      )}
      {receiver.state === 'incomplete' && (
        <>
          <span className="ReceiverField-sign">
            <Icon name="person" size={18} />
          </span>
          <span>
            {words.numberHint}
            <span className="ReceiverField-place">{words.holderPlace}</span>
          </span>
        </>
      )}
      {receiver.state === 'unanswered' && (
        <>
          {receiver.message}
          <button type="button" className="link ReceiverField-again" onClick={onAgain}>
            {appMessages.tryAgain}
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
