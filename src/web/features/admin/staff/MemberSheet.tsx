/** One administrator in a dialog over the staff list: the facts, the role, and the access. */
import { useEffect, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import type { Approval } from '#contract/fourEyes.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { StaffMember } from '#contract/staff.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { failureOf, isUnknown, type Outcome, outcomeOf, ownRequestOf } from '../panel/actRefusalText.ts';
import { focusDialogAfter, outerDialog } from '../panel/focusDialog.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { requestAddress } from '../panel/viewAddress.ts';
import {
  useChangeRoleMutation,
  useDisableMemberMutation,
  useEnableMemberMutation,
  useEndMemberSessionsMutation,
  useRequestQuery,
  useRequestsQuery,
  useResetMemberMutation,
  waitingRequests,
} from '../staffCalls.ts';
import { words as panelWords } from '../words.ts';
import { RoleField } from './RoleField.tsx';
import { staffWords as words } from './staffWords.ts';
import './MemberSheet.css';

export type MemberSheetProps = {
  /** The administrator; the dialog is open while it is set. */
  member: StaffMember | undefined;
  onClose: () => void;
};

export function MemberSheet({ member, onClose }: MemberSheetProps) {
  const shown = useLastKnown(member);
  return shown ? (
    <Opened key={shown._id} member={shown} isOpen={member !== undefined} onClose={onClose} />
  ) : null;
}

type Answer = { data?: { data: unknown; message: string } | undefined; error?: unknown };
type Facts = Pick<StaffMember, 'role' | 'state' | 'sessions' | 'linkExpiresAt'>;

function Opened({ member, isOpen, onClose }: { member: StaffMember; isOpen: boolean; onClose: () => void }) {
  const call = { params: { id: member._id } };
  const [role, setRole] = useState(member.role);
  /** What became of the last act, and whether it is still right for a member with these facts. */
  const [outcome, setOutcome] = useState<Outcome & { isRight: (now: Facts) => boolean }>();
  const [asking, setAsking] = useState<'disable' | 'endSessions'>();
  const asked = useLastKnown(asking) ?? 'disable';
  /** The act that was asked about is done, so the button that opened the question is about to disappear. */
  const [isActed, setActed] = useState(false);
  useEffect(() => {
    if (asking) setActed(false);
  }, [asking]);
  const [changeRole, changing] = useChangeRoleMutation();
  const [disable] = useDisableMemberMutation();
  const [enable, enabling] = useEnableMemberMutation();
  const [reset, resetting] = useResetMemberMutation();
  const [endSessions] = useEndMemberSessionsMutation();
  /** The request for a second approval that the last act made. */
  const [requestId, setRequestId] = useState<string>();
  const { currentData: request } = useRequestQuery(
    { params: { id: requestId ?? '' } },
    { ...pollingOptions, skip: !isOpen || requestId === undefined },
  );
  const isDecided = requestId !== undefined && request !== undefined && request.status !== 'pending';
  useEffect(() => {
    if (isOpen || isDecided) setOutcome(undefined);
    setRequestId(undefined);
  }, [isOpen, isDecided]);
  // A role that was chosen before but not saved is not the member's role.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the sheet opens or a request is decided
  useEffect(() => setRole(member.role), [member.role, isOpen, isDecided]);

  const { role: ownRole, state, sessions, linkExpiresAt } = member;
  // A colleague acted, or an act whose answer was lost took effect.
  useEffect(() => {
    const now = { role: ownRole, state, sessions, ...(linkExpiresAt && { linkExpiresAt }) };
    setOutcome(before => (before?.isRight(now) ? before : undefined));
  }, [ownRole, state, sessions, linkExpiresAt]);
  const waiting = useRequestsQuery(waitingRequests, { ...pollingOptions, skip: !isOpen }).data?.requests;
  const isWaiting = waiting?.some(({ kind, member: about }) => kind === 'role' && about?._id === member._id);
  // A refusal because another request is waiting is no longer right once that one is decided.
  useEffect(() => {
    if (isWaiting === false) setOutcome(before => (before?.kind === 'error' ? undefined : before));
  }, [isWaiting]);

  const needsSecond = useSecondPerson(!isOpen)() && role !== member.role;

  /**
   * `fact`: what the act changes. After a success, the outcome is right while `made` returns true. In all other cases, it is
   * right while `fact` is unchanged.
   */
  const settle = (answer: Answer, fact: keyof Facts, made?: (now: Facts) => boolean) => {
    const { approval } = (answer.data?.data ?? {}) as { approval?: Pick<Approval, '_id'> };
    setRequestId(approval?._id ?? ownRequestOf(answer.error));
    const isSame = (now: Facts) => now[fact] === member[fact];
    setOutcome({
      ...(approval
        ? { kind: 'warning', text: `${panelWords.waitingForSecond}. ${staffMessages.asked}` }
        : outcomeOf(answer, fact === 'role' && needsSecond)),
      isRight: (answer.data && !approval && made) || isSame,
    });
  };
  const { createdAt, disabledAt, lastSeenAt } = member;
  const over =
    asked === 'disable' ? state === 'disabled' && words.disabledNow : sessions === 0 && words.noSessionsNow;
  return (
    <Dialog open={isOpen} onClose={onClose} size="side" title={member.name} closeLabel={appMessages.close}>
      <Slip
        className="MemberSheet-facts"
        rows={[
          { label: panelWords.email, value: member.email },
          { label: words.role, value: staffMessages.roleNames[member.role] },
          { label: words.state, value: words.states[state] },
          { label: words.added, value: dayAndTime(createdAt) },
          disabledAt && { label: words.disabledAt, value: dayAndTime(disabledAt) },
          linkExpiresAt && { label: words.linkUntil, value: dayAndTime(linkExpiresAt) },
          { label: words.lastSeen, value: lastSeenAt ? dayAndTime(lastSeenAt) : words.never },
          { label: words.sessions, value: String(sessions) },
        ]}
      />
      {outcome && (
        <Banner
          kind={outcome.kind}
          title={outcome.text}
          className="MemberSheet-outcome"
          action={
            requestId && (
              <Button kind="quiet" size="s" to={`?${requestAddress(requestId).search}`}>
                {panelWords.viewRequest}
              </Button>
            )
          }
        />
      )}
      <h3 className="type-head">{words.roleSection}</h3>
      <div className="MemberSheet-part">
        <RoleField
          value={role}
          onChange={value => {
            setRole(value);
            setOutcome(undefined);
          }}
        />
        {needsSecond && <p className="type-small">{panelWords.needsSecond}</p>}
        <Button
          busy={changing.isLoading}
          onClick={() => {
            if (role === member.role)
              setOutcome({ kind: 'warning', text: words.sameRole, isRight: now => now.role === role });
            else
              void changeRole({ ...call, body: { role } }).then(answer => {
                settle(answer, 'role', now => now.role === role);
                // After a lost answer, keep the chosen role, so that the same press sends it again.
                if (!answer.data && !isUnknown(answer.error)) setRole(member.role);
              });
          }}
        >
          {words.saveRole}
        </Button>
      </div>
      <h3 className="type-head">{words.accessSection}</h3>
      <div className="MemberSheet-part">
        {state !== 'disabled' && (
          <Button
            kind="quiet"
            icon="mail"
            busy={resetting.isLoading}
            onClick={() =>
              void reset(call).then(answer => settle(answer, 'linkExpiresAt', now => now.state === state))
            }
          >
            {state === 'invited' ? words.resend : words.reset}
          </Button>
        )}
        {sessions > 0 && (
          <Button kind="quiet" icon="logout" onClick={() => setAsking('endSessions')}>
            {words.endSessions}
          </Button>
        )}
        {state === 'disabled' ? (
          <Button
            key="enable"
            busy={enabling.isLoading}
            onClick={() =>
              void enable(call).then(answer => {
                focusDialogAfter(answer);
                settle(answer, 'state', now => now.state !== 'disabled');
              })
            }
          >
            {words.enable}
          </Button>
        ) : (
          // The key makes this a new element. As the same element, 'Enable' would keep the focus, and Enter would undo the act.
          <Button key="disable" kind="quiet" icon="lock" onClick={() => setAsking('disable')}>
            {words.disable}
          </Button>
        )}
      </div>
      <ReasonDialog
        open={asking !== undefined}
        title={asked === 'disable' ? words.disableTitle(member.name) : words.endSessionsTitle(member.name)}
        hint={words.disableHint}
        isOptional
        kind="danger"
        confirmLabel={words[asked]}
        over={asking && over}
        finalFocus={isActed ? outerDialog : undefined}
        onConfirm={async reason => {
          const act = asked === 'disable' ? disable : endSessions;
          const answer = await act({ ...call, ...(reason && { body: { reason } }) });
          if (!answer.data) return failureOf(answer.error);
          setAsking(undefined);
          setActed(true);
          if (asked === 'disable') settle(answer, 'state', now => now.state === 'disabled');
          else settle(answer, 'sessions', now => now.sessions === 0);
          return undefined;
        }}
        onClose={() => setAsking(undefined)}
      >
        {asked === 'endSessions'
          ? words.endSessionsText
          : state === 'invited'
            ? words.disableInvitedText
            : words.disableText}
      </ReasonDialog>
    </Dialog>
  );
}
