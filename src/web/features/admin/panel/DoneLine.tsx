/** One quiet line about what was just done, beside the view's title. It is announced and can take the focus. */
import type { Ref } from 'react';
import { Icon } from '#web/ui/Icon.tsx';

export type DoneLineProps = { text: string; ref?: Ref<HTMLParagraphElement> };

export function DoneLine({ text, ref }: DoneLineProps) {
  return (
    <p
      ref={ref}
      tabIndex={-1}
      role="status"
      className="flex min-h-5 items-start gap-1.5 text-sm text-meadow-ink outline-none wrap-anywhere"
    >
      {text && (
        <>
          <Icon name="check" size={16} className="mt-0.5 flex-none" />
          {text}
        </>
      )}
    </p>
  );
}
