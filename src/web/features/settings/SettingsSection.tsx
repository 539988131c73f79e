/** One section of the settings: its title and note in the margin, next to a card. */
import { type ReactNode, useId } from 'react';
import { Panel } from '#web/ui/Panel.tsx';
import './SettingsSection.css';

export type SettingsSectionProps = { title: string; note: string; children: ReactNode };

export function SettingsSection({ title, note, children }: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section className="SettingsSection" aria-labelledby={titleId}>
      <div className="SettingsSection-side">
        <h2 className="type-head" id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <p className="type-note">{note}</p>
      </div>
      <Panel as="div">{children}</Panel>
    </section>
  );
}
