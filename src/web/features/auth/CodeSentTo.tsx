/** Says that a code is on its way, where to, and how long it works. */
import { codeText } from './authTexts.ts';

export function CodeSentTo({ email, said }: { email: string; said: string }) {
  return (
    <p className="type-small CodeSentTo">
      <span role="status">{said}</span> {codeText.sentTo.before} <b>{email}</b>
      {codeText.sentTo.after}
    </p>
  );
}
