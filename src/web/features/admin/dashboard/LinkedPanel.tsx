/** A dashboard panel that shows the short form of another view and links to it. */
import { type ReactNode, useId } from 'react';
import { Link } from '#web/router/Link.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { viewAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import './LinkedPanel.css';

export type LinkedPanelProps = {
  title: string;
  /** The key of the linked view. */
  view: string;
  children: ReactNode;
};

export function LinkedPanel({ title, view, children }: LinkedPanelProps) {
  const titleId = useId();
  return (
    <Panel labelledBy={titleId}>
      <div className="LinkedPanel-top">
        <h2 id={titleId} className="type-head">
          {title}
        </h2>
        <Link className="link" to={viewAddress(view)} aria-describedby={titleId}>
          {words.seeAll}
        </Link>
      </div>
      <div className="LinkedPanel-short">{children}</div>
    </Panel>
  );
}
