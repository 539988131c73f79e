/**
 * A panel of the overview: its title, a link to the full list, the first entries, and a button to add one while there is space.
 * Its height does not change when entries arrive.
 */
import type { ReactNode } from 'react';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import type { IconName } from '#web/ui/Icon.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { words } from './words.ts';
import './ListPanel.css';

export type ListPanelProps = {
  title: string;
  to: string;
  hasMore: boolean;
  /** The entries, or a paragraph if there are none; undefined until they are loaded. */
  children: ReactNode;
  /** Shown until they are loaded. */
  skeleton: ReactNode;
  isFailed: boolean;
  /** Shown if they could not be loaded. */
  failed: string;
  onRetry: () => unknown;
  add?: { icon: IconName; label: string } | false | undefined;
};

export function ListPanel(props: ListPanelProps) {
  const { title, to, hasMore, children, skeleton, isFailed, failed, onRetry, add } = props;
  return (
    <Panel label={title}>
      <div className="ListPanel-top">
        <h2 className="type-head">{title}</h2>
        {hasMore && (
          <Link className="link" to={to}>
            {words.seeAll}
          </Link>
        )}
      </div>
      <div className="ListPanel-content">
        {children ?? (isFailed ? <LoadFailed title={failed} onRetry={onRetry} /> : skeleton)}
        {add && (
          <Button kind="quiet" size="s" icon={add.icon} to={to}>
            {add.label}
          </Button>
        )}
      </div>
    </Panel>
  );
}
