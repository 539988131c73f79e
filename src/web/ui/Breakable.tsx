/** Text with email addresses, which break after a dot or an @: a browser would break a long one in the middle of a word. */
import { Fragment } from 'react';

export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=\S[@.])(?=\S)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
