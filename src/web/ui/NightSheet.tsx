/** A page's one dark surface, the same in both themes, with the larkspur drawing. Text never overlaps the front plants. */
import type { ReactNode } from 'react';
import doorArt from './art/larkspur-door.svg?no-inline';
import sheetArt from './art/larkspur-sheet.svg?no-inline';
import { classNames } from './classNames.ts';
import './NightSheet.css';

export type NightSheetProps = {
  /** The drawing: `sheet` for a sheet that spans a page (the balance), `door` for one next to a form (login). */
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
      {/* The drawing is hidden on phones. `lazy` keeps phones from fetching it and parsing its thousand elements. */}
      {art === 'door' && (
        <img className="NightSheet-flowers" src={doorArt} alt="" width="600" height="560" loading="lazy" />
      )}
    </Tag>
  );
}
