/** The head of a public page: its title and the paragraph that says what it is for, beside a picture where there is one. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import './PageTitle.css';

export type PageTitleProps = {
  heading: string;
  lead: string;
  /** A line above the title, for what kind of page this is. */
  above?: ReactNode;
  note?: string | undefined;
  /** A drawing of 640 × 400. */
  picture?: string | undefined;
  children?: ReactNode;
};

export function PageTitle({ heading, lead, above, note, picture, children }: PageTitleProps) {
  return (
    <div className={classNames('PageTitle', picture && 'PageTitle--pictured')}>
      <div className="Site-wrap">
        <div>
          {above && <p className="PageTitle-above">{above}</p>}
          <h1>{heading}</h1>
          <p className="Site-lead">{lead}</p>
          {note && <p className="type-note">{note}</p>}
          {children}
        </div>
        {picture && <img src={picture} alt="" width={640} height={400} fetchPriority="high" />}
      </div>
    </div>
  );
}
