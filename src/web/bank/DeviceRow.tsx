/** One device or passkey in a list: its name, facts about it, and a button. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import './DeviceRow.css';

export type DeviceRowProps = {
  icon: IconName;
  name: string;
  /** Beside the name. */
  badge?: ReactNode;
  facts: ReactNode;
  /** The button. */
  children: ReactNode;
};

export function DeviceRow({ icon, name, badge, facts, children }: DeviceRowProps) {
  return (
    <li className="DeviceRow">
      <Icon name={icon} size={18} />
      <div>
        <p className="DeviceRow-name">
          <b>{name}</b>
          {badge}
        </p>
        <p className="DeviceRow-facts">{facts}</p>
      </div>
      {children}
    </li>
  );
}
