/** The layout of the pages outside a session, such as the login: a form, and next to it the night sheet (the dark panel). */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import './AuthPage.css';

export type AuthPageProps = {
  /** Shown on the night sheet if there is space. */
  quote: string;
  promise: string;
  /** What happens after the form; shown under `promise`. */
  more?: ReactNode;
  /** A sentence under the form with a link to the alternative. */
  foot: ReactNode;
  /** For a long form: its column is as wide as the page allows. */
  wide?: boolean;
  children: ReactNode;
};

export function AuthPage({ quote, promise, more, foot, wide, children }: AuthPageProps) {
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
          {more}
        </NightSheet>
      </div>
    </div>
  );
}
