/** One drawing of the dashboard in its panel: what it is of, the finding as headline, the drawing, the table behind it. */
import type { ReactNode } from 'react';
import { Panel } from '#web/ui/Panel.tsx';
import './FigurePanel.css';

export type FigurePanelProps = {
  title: string;
  /** What the drawing proves, in a sentence. */
  finding: string;
  /** One sentence more where the drawing needs it. */
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
