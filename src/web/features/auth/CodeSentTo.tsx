/** Says that a code was sent, to which address, and how long it is valid. */
import { Breakable } from '#web/ui/Breakable.tsx';
import { codeText } from './authTexts.ts';
import './CodeSentTo.css';

export type CodeSentToProps = {
  id: string;
  email: string;
  said: string;
  /** Does not claim that a code was sent, because that would reveal whether the email has an account. */
  perhaps?: boolean;
};

export function CodeSentTo({ id, email, said, perhaps = false }: CodeSentToProps) {
  const { before, after } = perhaps ? codeText.perhapsSentTo : codeText.sentTo;
  return (
    <p id={id} className="type-small CodeSentTo">
      <span>{said}</span> {before}{' '}
      <b>
        <Breakable>{email}</Breakable>
      </b>
      {after}
    </p>
  );
}
