/** One match with the sanctions list: customer and entry side by side, and the decision with its reason. */
import { useRef, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import { type ScreeningHit, screeningApi } from '#contract/screening.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { mixedScripts } from '#web/bank/mixedScripts.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Table } from '#web/ui/Table.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { actRefusalText, failureOf } from '../panel/actRefusalText.ts';
import { MixedName } from '../panel/MixedName.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useMay } from '../panel/useRole.ts';
import { customerPageAddress } from '../panel/viewAddress.ts';
import { words as panelWords } from '../words.ts';
import { useCurrentHit, useDecideHitMutation, useReopenHitMutation } from './screeningCalls.ts';
import {
  birthOfCustomer,
  compareBirth,
  listedName,
  nameOfBirth,
  suggestionsOf,
  screeningWords as words,
} from './screeningWords.ts';
import './HitDialog.css';

export type HitDialogProps = {
  /** The match to show; the dialog is open while it is set. */
  hit: ScreeningHit | undefined;
  /** Called with the bank's answer. */
  onDecided: (message: string) => void;
  onClose: () => void;
};

export function HitDialog({ hit: opened, onDecided, onClose }: HitDialogProps) {
  const known = useLastKnown(opened);
  // A colleague may have decided the match after the list was loaded.
  const hit = useCurrentHit(known, opened !== undefined);
  const may = useMay();
  // The Close button gets the focus, not the link among the facts.
  const close = useRef<HTMLButtonElement>(null);
  const [decide] = useDecideHitMutation();
  const [reopen] = useReopenHitMutation();
  const [asking, setAsking] = useState<keyof typeof words.asks>();
  /** The date of birth that was compared before the question was asked. The customer may change it in the meantime. */
  const [compared, setCompared] = useState<string | null>();
  const asked = useLastKnown(asking) ?? 'no-match';
  if (!hit) return null;
  const { customer, listed, state, score } = hit;
  const name = customer.fullName;
  const isOpenAgain = state === 'open' && hit.earlier !== undefined;
  const alphabets = mixedScripts(`${name} ${listed.name}`);
  const canDecide = may(screeningApi.decideHit);

  const ask = (question: keyof typeof words.asks) => {
    setCompared(customer.dateOfBirth);
    setAsking(question);
  };

  // A colleague or the customer acted while the reason is written.
  const over =
    asked === 'reopen'
      ? state === 'open' && screeningMessages.openBefore
      : ((state === 'match' || state === 'no-match') &&
          words.decidedFirst(screeningMessages.states[state], hit.decidedBy)) ||
        (customer.dateOfBirth !== compared && screeningMessages.birthChanged);

  const confirm = async (reason: string) => {
    const call = { params: { id: hit._id } };
    const answer =
      asked === 'reopen'
        ? await reopen({ ...call, body: { reason } })
        : await decide({ ...call, body: { isMatch: asked === 'match', reason, dateOfBirth: compared } });
    if (!answer.data) return failureOf(answer.error, actRefusalText(answer.error, name));
    setAsking(undefined);
    onDecided(answer.data.message);
    return undefined;
  };

  return (
    <Dialog
      open={opened !== undefined}
      onClose={onClose}
      size="l"
      initialFocus={close}
      title={words.title}
      actions={
        <>
          <Button ref={close} kind="quiet" onClick={onClose}>
            {appMessages.close}
          </Button>
          {canDecide && (state === 'match' || state === 'no-match') && (
            <Button kind="quiet" onClick={() => ask('reopen')}>
              {words.reopen}
            </Button>
          )}
          {canDecide && state === 'open' && (
            <>
              <Button kind="danger" onClick={() => ask('match')}>
                {words.match}
              </Button>
              <Button onClick={() => ask('no-match')}>{words.noMatch}</Button>
            </>
          )}
        </>
      }
    >
      <Table
        caption={words.compared}
        className="HitDialog-compared"
        stack="narrow"
        columns={[
          {
            key: 'what',
            head: panelWords.type,
            hideHead: true,
            place: 'title',
            cell: row => <b>{row.what}</b>,
          },
          { key: 'customer', head: words.customer, cell: row => row.customer },
          {
            key: 'listed',
            head: words.listed,
            cell: row => (
              <span className="HitDialog-listed">
                {row.isSame && <Icon name="check" size={16} />}
                {row.listed}
              </span>
            ),
          },
        ]}
        rows={[
          { what: words.name, customer: name, listed: listedName(listed), isSame: false },
          {
            what: words.dateOfBirth,
            customer: birthOfCustomer(customer),
            listed: nameOfBirth(listed.dateOfBirth),
            isSame: compareBirth(hit) === 'same',
          },
        ]}
        rowKey={row => row.what}
      />
      {alphabets && <p className="type-note HitDialog-note">{words.lookAlikes(alphabets)}</p>}
      {state === 'outdated' && <p className="HitDialog-note">{screeningMessages.outdated}</p>}
      {(hit.isGone || isOpenAgain) && (
        <p className="HitDialog-note">
          {hit.isGone ? words.gone : words.changed}
          {isOpenAgain && ` ${words.decideAgain}`}
        </p>
      )}
      <MixedName parts={[name]} className="HitDialog-mixed" />
      <Slip
        className="HitDialog-facts"
        rows={[
          { label: panelWords.accountNumber, value: <AccountNumber small value={customer.accountNumber} /> },
          { label: words.similarity, value: `${score}%` },
          { label: words.program, value: listed.program || panelWords.none },
          { label: words.entry, value: listed.id },
          { label: words.found, value: dayAndTime(hit.foundAt) },
          { label: words.state, value: screeningMessages.states[state] },
          // After a confirmed match, deciding the others does not bring up more.
          state !== 'match' &&
            customer.moreMatches !== undefined && {
              label: words.moreLabel,
              value: words.more(customer.moreMatches),
            },
          hit.decidedBy && { label: words.decidedBy, value: hit.decidedBy },
          hit.decidedAt && { label: words.decidedAt, value: dayAndTime(hit.decidedAt) },
          hit.reason && { label: words.reason, value: hit.reason },
          hit.earlier && { label: words.earlier, value: words.earlierText(hit.earlier) },
          hit.confirmed && {
            label: hit.earlier ? words.confirmedBefore : words.earlier,
            value: words.earlierText({ state: 'match', ...hit.confirmed }),
          },
          {
            label: words.customerPage,
            value: (
              <Link className="link" to={customerPageAddress(customer._id)} onClick={onClose}>
                {panelWords.openFullPage}
              </Link>
            ),
          },
        ]}
      />
      <ReasonDialog
        open={asking !== undefined}
        {...words.asks[asked]}
        title={
          hit.isGone && asked !== 'reopen' ? words.goneTitles[asked](name) : words.asks[asked].title(name)
        }
        suggestions={suggestionsOf(hit, asked)}
        hint={panelWords.auditHint}
        kind={asked === 'match' ? 'danger' : 'primary'}
        over={asking !== undefined && over}
        onConfirm={confirm}
        onClose={() => setAsking(undefined)}
      >
        {words.asks[asked].text} {asked === 'match' && words.afterMatch(customer.isApproved)}
      </ReasonDialog>
    </Dialog>
  );
}
