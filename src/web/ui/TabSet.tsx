/** Tabs that change the content under them without leaving the page. The arrow keys move between tabs. */
import { Tabs as Parts } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './classNames.ts';
import './Tabs.css';
import './TabSet.css';

export type TabSetProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: string; content: ReactNode }[];
  /**
   * Focus alone does not open a tab. Needed if a dialog asks before a tab opens: when the dialog closes, it moves the focus
   * back to the tab, and this must not open the tab.
   */
  manual?: boolean | undefined;
  className?: string | undefined;
};

export function TabSet<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  manual = false,
  className,
}: TabSetProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // On phones the list scrolls, and the open tab can be cut off at its edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run whenever the open tab changes
  useEffect(() => {
    const tabs = list.current;
    const open = tabs?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!tabs || !open) return;
    // The observer's first call comes when the tabs are visible.
    const observer = new ResizeObserver(() => {
      const { offsetLeft, clientWidth } = tabs;
      tabs.scrollLeft = open.offsetLeft - offsetLeft - (clientWidth - open.offsetWidth) / 2;
    });
    observer.observe(tabs);
    return () => observer.disconnect();
  }, [value]);
  return (
    <Parts.Root value={value} onValueChange={onChange} className={classNames('TabSet', className)}>
      <Parts.List ref={list} className="Tabs" aria-label={label} activateOnFocus={!manual}>
        {tabs.map(tab => (
          <Parts.Tab key={tab.value} value={tab.value} className="Tabs-tab">
            {tab.label}
          </Parts.Tab>
        ))}
      </Parts.List>
      {tabs.map(tab => (
        <Parts.Panel key={tab.value} value={tab.value} className="TabSet-panel">
          {tab.content}
        </Parts.Panel>
      ))}
    </Parts.Root>
  );
}
