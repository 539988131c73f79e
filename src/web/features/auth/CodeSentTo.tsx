/** Says that a code is on its way, where to, and how long it works. */
import { codeText } from './authTexts.ts';
import './CodeSentTo.css';

export type CodeSentToProps = {
  id: string;
  email: string;
  said: string;
  /** Nobody may learn here whether the email has an account, so the code's way is told with an 'if'. */
  perhaps?: boolean;
};

export function CodeSentTo({ id, email, said, perhaps = false }: CodeSentToProps) {
  const { before, after } = perhaps ? codeText.perhapsSentTo : codeText.sentTo;
  return (
    <p id={id} className="type-small CodeSentTo">
      <span>{said}</span> {before} <b>{email}</b>
      {after}
    </p>
  );
}
