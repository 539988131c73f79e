/** A panel of the overview with a title, a link to all, and a height that does not change when its data arrives. */
import type { ReactNode } from 'react';
import { Link } from '#web/router/Link.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { words } from './words.ts';
import './ListPanel.css';

export type ListPanelProps = { title: string; to: string; hasMore: boolean; children: ReactNode };

export function ListPanel({ title, to, hasMore, children }: ListPanelProps) {
  return (
    <Panel className="ListPanel" label={title}>
      <div className="ListPanel-top">
        <h2 className="type-head">{title}</h2>
        {hasMore && (
          <Link className="link" to={to}>
            {words.seeAll}
          </Link>
        )}
      </div>
      <div className="ListPanel-content">{children}</div>
    </Panel>
  );
}
