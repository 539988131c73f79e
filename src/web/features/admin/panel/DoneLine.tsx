/** A line next to the view's title that says what was just done. It is announced and can take the focus. */
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
