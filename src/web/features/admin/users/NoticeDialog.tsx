/** The modal that reports what became of an act on a customer. */
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { words } from '../words.ts';

/** The content of the modal. */
export type Notice = { kind: 'success' | 'error'; message: string };

/** Open while `notice` is set. */
export function NoticeDialog({ notice, onClose }: { notice: Notice | undefined; onClose: () => void }) {
  const shown = useLastKnown(notice);
  if (!shown) return null;
  return (
    <ResultDialog
      open={notice !== undefined}
      onClose={onClose}
      kind={shown.kind}
      title={words[shown.kind]}
      message={shown.message}
    />
  );
}
