/** A door into the bank: the form on paper, and beside it the night sheet with the larkspur. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import './Door.css';

export type DoorProps = {
  /** Said on the night sheet, where there is room for one. */
  quote: string;
  promise: string;
  /** The other way on: a sentence with a link, under the form. */
  foot: ReactNode;
  /** For a long form: the column is as wide as the page allows. */
  wide?: boolean;
  children: ReactNode;
};

export function Door({ quote, promise, foot, wide, children }: DoorProps) {
  return (
    <div className="Door-frame">
      <div className={classNames('Door', wide && 'Door--wide')}>
        <div className="Door-form">
          <div className="Door-inside">{children}</div>
          <p className="Door-foot">{foot}</p>
        </div>
        <NightSheet art="door" as="aside" className="Door-side">
          <div className="Door-words">
            <blockquote>{quote}</blockquote>
            <p>{promise}</p>
          </div>
        </NightSheet>
      </div>
    </div>
  );
}
