/** A view's first row: the menu button on small screens, the title, and what belongs at its right (a search box). */
import type { ReactNode } from 'react';

/** The title's id; the shell moves the focus there when the view changes. */
export const viewTitleId = 'admin-view-title';

/** What the shell hands to every view: the button that opens the sidebar on small screens. */
export type ViewProps = { menu: ReactNode };

export type ViewHeadProps = ViewProps & { title: string; children?: ReactNode };

export function ViewHead({ menu, title, children }: ViewHeadProps) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex items-center gap-1.5">
        {menu}
        <h1 id={viewTitleId} tabIndex={-1} className="type-title outline-none">
          {title}
        </h1>
      </div>
      {children}
    </div>
  );
}
