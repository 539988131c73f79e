/** A line that says what was just done, next to a title or in a panel. It is announced and can take the focus. */
import type { ReactNode, Ref } from 'react';
import { Icon } from '#web/ui/Icon.tsx';
import './DoneLine.css';

export type DoneLineProps = { text: ReactNode; ref?: Ref<HTMLParagraphElement> };

export function DoneLine({ text, ref }: DoneLineProps) {
  return (
    <p ref={ref} tabIndex={-1} role="status" className="DoneLine">
      {text && (
        <>
          <Icon name="check" size={16} />
          <span>{text}</span>
        </>
      )}
    </p>
  );
}
