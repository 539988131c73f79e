/** One contact message in a dialog over the list: who wrote it, the answers so far, and the field for the next one. */
import { useEffect, useRef, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import { type ContactMessage, contactQueueApi, otherLoggedIn } from '#contract/contactQueue.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useInView } from '#web/ui/useInView.ts';
import {
  useAnswerMessageMutation,
  useAssignMessageMutation,
  useCloseMessageMutation,
  useContactMessageQuery,
} from '../deskCalls.ts';
import { isGone, isUnknown, type Outcome, outcomeOf } from '../panel/actRefusalText.ts';
import { focusDialogAfter } from '../panel/focusDialog.ts';
import { MissingRow, type OpenedRowProps, RowSheet, type RowSheetProps } from '../panel/RowSheet.tsx';
import { useMay } from '../panel/useRole.ts';
import { customerPageAddress } from '../panel/viewAddress.ts';
import { words as panelWords } from '../words.ts';
import { stateOf, messageWords as words } from './messageWords.ts';
import './MessageSheet.css';

export const MessageSheet = (props: RowSheetProps) => <RowSheet {...props} of={Opened} />;

function Opened({ id, isId, isOpen, onClose }: OpenedRowProps) {
  const call = { params: { id } };
  const { currentData, error, refetch } = useContactMessageQuery(call, { skip: !isId || !isOpen });
  const message = isGone(error) ? undefined : currentData;
  const own = useAppSelector(selectAdmin)?._id;
  const mayAct = useMay()(contactQueueApi.answerMessage);
  const [assign, assigning] = useAssignMessageMutation();
  const [close, closing] = useCloseMessageMutation();
  const [answer, answering] = useAnswerMessageMutation();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const isBusy = assigning.isLoading || closing.isLoading || answering.isLoading;
  /** The pressed button is not disabled: a disabled button loses the focus. */
  const whileBusy = ({ isLoading }: { isLoading: boolean }) => ({
    busy: isLoading,
    disabled: isBusy && !isLoading,
  });
  useEffect(() => {
    if (!isOpen) return;
    setOutcome(undefined);
    setText('');
    setMissing(false);
  }, [isOpen]);

  // Keeps the outcome in view. A colleague's answer that loads later moves it out of view, so this scrolls again.
  const answers = message?.answers.length;
  const place = useInView(outcome, answers);
  /** How many answers were shown when the last one was sent, until its result is known. */
  const seen = useRef<number>(undefined);

  // The warning about an unknown result goes once the message has changed, because the message now shows the result. If an
  // answer with the text of the field is among the new ones, it was sent. If there are only others, the bank refused it.
  const shown = message && `${message.state} ${message.owner?._id} ${answers}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again once the message has changed
  useEffect(() => {
    if (outcome?.kind !== 'warning') return;
    const typed = text.trim().normalize();
    const before = seen.current;
    seen.current = undefined;
    const added = before === undefined ? [] : (message?.answers.slice(before) ?? []);
    if (added.length === 0) {
      const isRefused = before !== undefined && message?.state === 'closed';
      return setOutcome(isRefused ? { kind: 'error', text: contactMessages.closedBefore } : undefined);
    }
    if (!added.some(answered => answered.text === typed))
      return setOutcome({ kind: 'error', text: contactMessages.answeredBefore });
    setText('');
    setOutcome({ kind: 'success', text: contactQueueApi.answerMessage.message });
  }, [shown]);

  /** The owner that the screen shows. If another colleague has the message by now, the bank refuses the act. */
  const from = message?.owner && { body: { takenFrom: message.owner._id } };

  const settle = (made: Parameters<typeof outcomeOf>[0]): boolean => {
    setOutcome(outcomeOf(made));
    focusDialogAfter(made);
    return made.data !== undefined;
  };
  const send = async (isDone: boolean) => {
    if (!text.trim()) return setMissing(true);
    seen.current = answers ?? 0;
    const body = { ...from?.body, text: text.trim(), isDone, answersSeen: answers };
    const made = await answer({ ...call, body });
    if (!isUnknown(made.error)) seen.current = undefined;
    if (settle(made)) setText('');
  };
  const isClosed = message?.state === 'closed';
  const isOwn = message?.owner?._id === own;
  const canAnswer = message !== undefined && !isClosed && mayAct;

  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      size="side"
      title={message?.subject ?? words.message}
      closeLabel={appMessages.close}
      actions={
        message &&
        mayAct && (
          <>
            {!isClosed && (
              <Button
                kind="quiet"
                {...whileBusy(closing)}
                onClick={() => void close({ ...call, ...from }).then(settle)}
              >
                {message.answers.length > 0 ? words.closeAnswered : words.close}
              </Button>
            )}
            {(isClosed || !isOwn) && (
              <Button
                kind={isClosed ? 'primary' : 'quiet'}
                {...whileBusy(assigning)}
                onClick={() => void assign({ ...call, ...from }).then(settle)}
              >
                {isClosed
                  ? words.takeAgain
                  : message.owner
                    ? panelWords.takeFrom(message.owner.name)
                    : panelWords.assignToMe}
              </Button>
            )}
          </>
        )
      }
    >
      {message ? (
        <>
          <Facts message={message} />
          {canAnswer && (
            <form className="MessageSheet-answer" onSubmit={event => event.preventDefault()}>
              <TextAreaField
                label={words.answer}
                name="answer"
                hint={words.answerHint}
                rows={6}
                maxLength={maxLength.message}
                value={text}
                onChange={setText}
                error={missing && !text.trim() ? contactMessages.answerRequired : undefined}
              />
              <div className="MessageSheet-send">
                <Button {...whileBusy(answering)} busyLabel={words.sending} onClick={() => void send(true)}>
                  {words.sendAndClose}
                </Button>
                <Button kind="quiet" {...whileBusy(answering)} onClick={() => void send(false)}>
                  {words.send}
                </Button>
              </div>
            </form>
          )}
        </>
      ) : (
        <MissingRow isId={isId} error={error} onRetry={refetch} words={words} />
      )}
      <div ref={place} className="MessageSheet-outcome">
        {outcome && <Banner kind={outcome.kind} title={outcome.text} />}
      </div>
      <LeaveGuard when={isOpen && canAnswer && !isBusy && text.trim() !== ''} orTab />
    </Dialog>
  );
}

function Facts({ message }: { message: ContactMessage }) {
  const { name, email, at, owner, closedAt, customer, answers, isLoggedIn } = message;
  const remark = otherLoggedIn(message) ?? (customer || isLoggedIn ? undefined : words.notProven);
  return (
    <>
      <p className="MessageSheet-status">
        <Status {...stateOf(message)} />
      </p>
      <Slip
        rows={[
          { label: words.from, value: name },
          {
            label: panelWords.email,
            value: (
              <>
                {email}
                {remark && <span className="Slip-remark">{remark}</span>}
              </>
            ),
          },
          { label: words.received, value: dayAndTime(at) },
          { label: panelWords.assignedTo, value: owner?.name ?? panelWords.notAssigned },
          closedAt && { label: words.closedAt, value: dayAndTime(closedAt) },
          customer && {
            label: !isLoggedIn
              ? words.customerOfEmail
              : customer.isApproved
                ? words.customer
                : words.applicant,
            value: (
              <>
                <Link className="link" to={customerPageAddress(customer._id)}>
                  {customer.name}
                </Link>
                <span className="Slip-remark">{isLoggedIn ? words.proven : words.notProven}</span>
              </>
            ),
          },
        ]}
      />
      <h3 className="type-head MessageSheet-title">{words.theyWrote}</h3>
      <p className="MessageSheet-text">{message.message}</p>
      {answers.length > 0 && (
        <>
          <h3 className="type-head MessageSheet-title">{words.answers}</h3>
          <ol aria-label={words.answers}>
            {answers.map(one => (
              <li key={one._id} className="MessageSheet-given">
                <p className="MessageSheet-text">{one.text}</p>
                <p className="type-small">
                  {one.authorName}, <time dateTime={one.at}>{dayAndTime(one.at)}</time>
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
