/** The head of a plain public page: its title and the paragraph that says what it is for. */
import './PageTitle.css';

export type PageTitleProps = { heading: string; lead: string; note?: string | undefined };

export function PageTitle({ heading, lead, note }: PageTitleProps) {
  return (
    <div className="PageTitle">
      <div className="Site-wrap">
        <h1>{heading}</h1>
        <p className="Site-lead">{lead}</p>
        {note && <p className="type-note">{note}</p>}
      </div>
    </div>
  );
}
