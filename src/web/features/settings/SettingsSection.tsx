/** One section of the settings: its title and note in the margin, next to a card. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useRouterState } from '#web/router/hooks.ts';
import { Panel } from '#web/ui/Panel.tsx';
import './SettingsSection.css';

export type SettingsSectionProps = {
  title: string;
  note: string;
  /** The anchor of a link to this section. */
  id?: string;
  children: ReactNode;
};

export function SettingsSection({ title, note, id, children }: SettingsSectionProps) {
  const ownId = useId();
  const titleId = id ?? ownId;
  const heading = useRef<HTMLHeadingElement>(null);
  const { location, scroll } = useRouterState();
  const { hash } = location;
  // A customer who follows a link to this section starts here, not at the top of the page.
  useEffect(() => {
    if (id === undefined || hash !== `#${id}`) return;
    heading.current?.focus({ preventScroll: true });
    // Back and forward restore the earlier position.
    if (typeof scroll !== 'number') heading.current?.scrollIntoView();
  }, [id, hash, scroll]);
  return (
    <section className="SettingsSection" aria-labelledby={titleId}>
      <div className="SettingsSection-side">
        <h2 ref={heading} className="type-head" id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <p className="type-note">{note}</p>
      </div>
      <Panel as="div">{children}</Panel>
    </section>
  );
}
