/** A paragraph's text: the bank's phone number in it is a link that calls it, and dates and ranges stay on one line. */
import { Fragment } from 'react';
import { bank, phoneLink } from '#contract/constants.ts';
import { Ranges } from '#web/ui/Ranges.tsx';

export function PhoneText({ children }: { children: string }) {
  return children.split(bank.phone).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
    <Fragment key={place}>
      {place > 0 && (
        <a className="link num" href={phoneLink}>
          {bank.phone}
        </a>
      )}
      <Ranges>{part}</Ranges>
    </Fragment>
  ));
}
