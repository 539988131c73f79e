/** One chart of the dashboard in its panel: title, finding as the headline, the chart, and the table of its data. */
import type { ReactNode } from 'react';
import { Panel } from '#web/ui/Panel.tsx';
import './FigurePanel.css';

export type FigurePanelProps = {
  title: string;
  /** What the chart shows, in one sentence. */
  finding: string;
  /** An additional sentence, for charts that need an explanation. */
  note?: string | undefined;
  children?: ReactNode;
};

export function FigurePanel({ title, finding, note, children }: FigurePanelProps) {
  return (
    <Panel className="FigurePanel" label={title}>
      <p className="type-small">{title}</p>
      <h2 className="type-head">{finding}</h2>
      {note && <p className="type-note FigurePanel-note">{note}</p>}
      {children}
    </Panel>
  );
}
