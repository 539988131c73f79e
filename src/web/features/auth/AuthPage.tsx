/** A door into the bank: the form on paper, and beside it the night sheet with the larkspur. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import './AuthPage.css';

export type AuthPageProps = {
  /** Said on the night sheet, where there is room for one. */
  quote: string;
  promise: string;
  /** The other way on: a sentence with a link, under the form. */
  foot: ReactNode;
  /** For a long form: the column is as wide as the page allows. */
  wide?: boolean;
  children: ReactNode;
};

export function AuthPage({ quote, promise, foot, wide, children }: AuthPageProps) {
  return (
    <div className="AuthPage-frame">
      <div className={classNames('AuthPage', wide && 'AuthPage--wide')}>
        <div className="AuthPage-form">
          <div className="AuthPage-inside">{children}</div>
          <p className="AuthPage-foot">{foot}</p>
        </div>
        <NightSheet art="door" as="aside" className="AuthPage-side">
          <div className="AuthPage-words">
            <blockquote>{quote}</blockquote>
            <p>{promise}</p>
          </div>
        </NightSheet>
      </div>
    </div>
  );
}
