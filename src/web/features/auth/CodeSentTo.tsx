/** Says that a code is on its way, where to, and how long it works. */
import { codeText } from './authTexts.ts';

export function CodeSentTo({ id, email, said }: { id: string; email: string; said: string }) {
  return (
    <p id={id} className="type-small CodeSentTo">
      <span>{said}</span> {codeText.sentTo.before} <b>{email}</b>
      {codeText.sentTo.after}
    </p>
  );
}
