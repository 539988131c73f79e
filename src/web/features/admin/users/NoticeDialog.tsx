/** The modal that reports what became of an act: done, refused, not known, or waiting for a second person. */
import type { Approval } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { ResultDialog, type ResultDialogProps } from '#web/bank/ResultDialog.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { Button } from '#web/ui/Button.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { actRefusalText, isUnknown, ownRequestOf } from '../panel/actRefusalText.ts';
import { requestAddress } from '../panel/viewAddress.ts';
import { requestWords } from '../requests/requestWords.ts';
import { useRequestQuery } from '../staffCalls.ts';
import { words } from '../words.ts';

/** The content of the modal. */
export type Notice =
  | { kind: 'success' | 'error' | 'unknown'; message: string }
  | { kind: 'waiting'; approval: KnownRequest; message?: string };

/** A request as the answer to an act has it, or only its id. */
type KnownRequest = Pick<Approval, '_id'> | Approval;

/** Returns the request if it is known to be decided or expired. */
const decidedOf = (request: KnownRequest | undefined) =>
  request && 'status' in request && request.status !== 'pending' ? request : undefined;

/** Returns the notice for the bank's answer to an act, which may have to be approved by a second person first. */
export function noticeOf(data: unknown, message: string): Notice {
  const { approval } = (data ?? {}) as { approval?: Approval };
  return approval ? { kind: 'waiting', approval } : { kind: 'success', message };
}

/** Returns the notice for a failed act on the customer `name`. `fallback` is used if the bank sent no message. */
export function refusalNotice(error: unknown, name: string, fallback?: string): Notice {
  const kind = isUnknown(error) ? 'unknown' : 'error';
  return ownRequestNotice(error) ?? { kind, message: actRefusalText(error, name, fallback) };
}

/**
 * Returns the notice for an act that was refused because this administrator already requested it, with a link to the request.
 */
export function ownRequestNotice(error: unknown): Notice | undefined {
  const _id = ownRequestOf(error);
  return _id === undefined
    ? undefined
    : { kind: 'waiting', approval: { _id }, message: errorMessage(error, '') };
}

export type NoticeDialogProps = Pick<ResultDialogProps, 'onClose' | 'finalFocus'> & {
  notice: Notice | undefined;
};

/** Open while `notice` is set. */
export function NoticeDialog({ notice, onClose, finalFocus }: NoticeDialogProps) {
  const shown = useLastKnown(notice);
  if (!shown) return null;
  const dialog = { open: notice !== undefined, onClose, finalFocus };
  if (shown.kind === 'waiting') return <Waiting {...dialog} notice={shown} />;
  return (
    <ResultDialog
      {...dialog}
      kind={shown.kind === 'unknown' ? 'warning' : shown.kind}
      title={words[shown.kind]}
      message={shown.message}
    />
  );
}

type WaitingProps = Omit<NoticeDialogProps, 'notice'> & {
  open: boolean;
  notice: Notice & { kind: 'waiting' };
};

function Waiting({ notice: { approval, message }, ...dialog }: WaitingProps) {
  // A colleague may have decided the request since the answer, so read it.
  const { currentData: request } = useRequestQuery(
    { params: { id: approval._id } },
    { skip: !dialog.open, refetchOnMountOrArgChange: true },
  );
  const decided = decidedOf(approval) ?? decidedOf(request);
  return (
    <ResultDialog
      {...dialog}
      kind={decided ? 'warning' : 'pending'}
      title={decided ? requestWords.alreadyDecided : words.waitingForSecond}
      message={decided ? requestWords.decidedFirst(decided) : (message ?? staffMessages.asked)}
      action={
        <Button kind="text" wide to={`?${requestAddress(approval._id).search}`} onClick={dialog.onClose}>
          {words.viewRequest}
        </Button>
      }
    />
  );
}
