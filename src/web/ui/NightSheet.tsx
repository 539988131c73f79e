/** The one deep surface of a page, the same by day and night, with the larkspur standing in it. Text never stands on the near row. */
import type { ReactNode } from 'react';
import doorArt from './art/larkspur-door.svg?no-inline';
import sheetArt from './art/larkspur-sheet.svg?no-inline';
import { classNames } from './classNames.ts';
import './NightSheet.css';

export type NightSheetProps = {
  /** `sheet` lies across a page (the balance), `door` stands beside a form (login). */
  art?: 'sheet' | 'door' | 'none' | undefined;
  as?: 'section' | 'aside' | 'div' | undefined;
  label?: string | undefined;
  children: ReactNode;
  className?: string | undefined;
};

export function NightSheet({
  art = 'sheet',
  as: Tag = 'section',
  label,
  children,
  className,
}: NightSheetProps) {
  return (
    <Tag className={classNames('NightSheet', `NightSheet--${art}`, className)} aria-label={label}>
      {children}
      {art === 'sheet' && (
        <img className="NightSheet-flowers" src={sheetArt} alt="" width="560" height="228" />
      )}
      {/* Phones do not show it: lazy, it is not fetched there, nor its thousand elements taken in before the first paint. */}
      {art === 'door' && (
        <img className="NightSheet-flowers" src={doorArt} alt="" width="600" height="560" loading="lazy" />
      )}
    </Tag>
  );
}
