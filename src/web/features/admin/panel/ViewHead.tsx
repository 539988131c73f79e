/** A view's first row: the menu buttons on small screens, the title, and optional content at the right (a search box). */
import type { ReactNode } from 'react';
import './ViewHead.css';

/** The title's id; `AdminDesk` moves the focus there when the view changes. */
export const viewTitleId = 'admin-view-title';

/** What `AdminDesk` passes to every view: the buttons that open the sidebar and the list of commands on small screens. */
export type ViewProps = { menu: ReactNode };

export type ViewHeadProps = ViewProps & { title: string; children?: ReactNode };

export function ViewHead({ menu, title, children }: ViewHeadProps) {
  return (
    <div className="ViewHead">
      <div className="ViewHead-title">
        {menu}
        <h1 id={viewTitleId} tabIndex={-1} className="type-title">
          {title}
        </h1>
      </div>
      {children}
    </div>
  );
}
