/** Text whose email addresses can break after a dot or an @. Browsers would break a long address in the middle of a word. */
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
