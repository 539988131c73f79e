/** The header of a public page: title and lead paragraph, with an optional picture next to them. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import './PageTitle.css';

export type PageTitleProps = {
  heading: string;
  lead: string;
  /** A line above the title that names the kind of page. */
  above?: ReactNode;
  note?: string | undefined;
  /** A drawing, 640 × 400. */
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
