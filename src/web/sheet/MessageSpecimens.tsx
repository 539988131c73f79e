/** The component sheet's messages: banners, badges, progress, empty states, toasts, results, dialogs. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Breakable } from '#web/ui/Breakable.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Count } from '#web/ui/Count.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LockNote } from '#web/ui/LockNote.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Person } from '#web/ui/Person.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Seal, type SealKind } from '#web/ui/Seal.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Status } from '#web/ui/Status.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { showToast } from '#web/ui/showToast.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';
import { SpecimenLine } from './SpecimenLine.tsx';
import './MessageSpecimens.css';

const results: { kind: SealKind; title: string; text: string }[] = [
  { kind: 'success', title: transferMessages.successfulTitle, text: transferMessages.successfulText },
  { kind: 'pending', title: transferMessages.initiatedTitle, text: transferMessages.initiatedText },
  { kind: 'processing', title: transferMessages.processingTitle, text: transferMessages.processingText },
  {
    kind: 'error',
    title: transferMessages.failedTitle,
    text: `${transferMessages.insufficientBalance}. ${transferMessages.nothingSent}`,
  },
  { kind: 'warning', title: authMessages.pendingTitle, text: authMessages.pendingText },
];

export function MessageSpecimens() {
  const [shown, setShown] = useState<SealKind>();
  const [asking, setAsking] = useState(false);
  const [reading, setReading] = useState(false);
  const [filling, setFilling] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [guarded, setGuarded] = useState(false);
  const result = results.find(one => one.kind === shown);
  const wait = () => {
    setWaiting(true);
    setTimeout(() => setWaiting(false), 2000);
  };
  return (
    <>
      <Specimen name="Banners">
        <div className="MessageSpecimens-banners">
          <LockNote to="/contact" link={navMessages.helpDesk}>
            {errorMessages.accountFrozen}
          </LockNote>
          <p className="type-small">
            <Breakable>We sent a code to maximiliana.bartholomew.fitzgerald@longmeadow.example.</Breakable>
          </p>
          <Banner kind="error" title={transferMessages.insufficientBalance}>
            Nothing was sent. You have $12,480.36; the transfer asks for $13,000.00.
          </Banner>
          <Banner kind="warning" title={dashboardMessages.pendingTitle}>
            {dashboardMessages.pendingText}
          </Banner>
          <Banner
            kind="success"
            title={settingsMessages.contactUpdated}
            dismiss={{ label: appMessages.dismiss, onPress: () => undefined }}
          />
          <Banner
            kind="info"
            title="You have been quiet for fifteen minutes"
            action={<Button size="s">Carry on</Button>}
          >
            We will log you out in 0:42 unless you carry on.
          </Banner>
        </div>
      </Specimen>
      <Specimen name="Badges and status">
        <SpecimenLine>
          <Badge kind="verified">{dashboardMessages.verified}</Badge>
          <Badge kind="pending">{dashboardMessages.pendingTag}</Badge>
          <Badge kind="frozen">Frozen</Badge>
          <Badge kind="sample">Sample</Badge>
          <Badge kind="neutral">Neutral</Badge>
          <Count value={3} label="unread" />
          <Count value={4} tone="wait" label="waiting" />
          <Status status="completed">{transactionsMessages.completed}</Status>
          <Status status="active">Active</Status>
          <Status status="pending">{transactionsMessages.pending}</Status>
          <Status status="failed">
            {transactionsMessages.failed}, {transactionsMessages.returned}
          </Status>
          <Status status="refused">Declined</Status>
          <Status status="fault">True match</Status>
        </SpecimenLine>
      </Specimen>
      <Specimen name="Waiting">
        <SpecimenGrid>
          <Panel pad={false} className="Specimen-rows">
            <Skeleton kind="rows" count={3} label={dashboardMessages.loadingTransactions} />
          </Panel>
          <Panel className="MessageSpecimens-waits">
            <Skeleton kind="card" label="Loading balance" />
            <Progress label="Uploading portrait.jpg" value={62} />
            <Skeleton kind="text" label="Loading text" />
            <div>
              <Button kind="quiet" size="s" onClick={wait}>
                {appMessages.pleaseWait}
              </Button>
            </div>
            {waiting && <BusyOverlay />}
          </Panel>
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Nothing yet">
        <Panel pad={false}>
          <EmptyState title={dashboardMessages.noRecent} action={<Button>{transferMessages.send}</Button>}>
            Money you send or receive will be listed here, the newest first.
          </EmptyState>
        </Panel>
      </Specimen>
      <Specimen name="Toasts">
        <SpecimenLine>
          <Button
            kind="quiet"
            onClick={() =>
              showToast({
                title: '+$64.50 from Tobias Fenn',
                text: 'Concert tickets',
                tone: 'success',
                icon: 'in',
              })
            }
          >
            Money arrived
          </Button>
          <Button kind="quiet" onClick={() => showToast({ title: appMessages.copied, icon: 'copy' })}>
            Copied
          </Button>
          <Button kind="quiet" onClick={() => showToast({ title: appMessages.sessionEnded, tone: 'error' })}>
            Session ended
          </Button>
        </SpecimenLine>
      </Specimen>
      <Specimen name="Results of a transfer">
        <SpecimenGrid>
          {results.map(({ kind, title, text }) => (
            <Panel key={kind} as="div" className="MessageSpecimens-result">
              <Seal kind={kind} />
              <h3 className="type-head">{title}</h3>
              <p className="type-small">{text}</p>
              <Button kind="text" onClick={() => setShown(kind)}>
                Open
              </Button>
            </Panel>
          ))}
        </SpecimenGrid>
        <ResultDialog
          open={result !== undefined}
          onClose={() => setShown(undefined)}
          kind={result?.kind ?? 'success'}
          title={result?.title ?? ''}
          message={result?.text}
          amountDollars={result?.kind === 'success' ? 250 : undefined}
          rows={
            result?.kind === 'success'
              ? [
                  { label: 'To', value: 'Ines Caldeira' },
                  { label: 'Account', value: '7305 1184 2298' },
                  { label: 'Reference', value: 'LKS-8F42-K7QD' },
                  { label: 'Date', value: 'Nov 21, 2026, 9:41 AM' },
                ]
              : undefined
          }
          action={result?.kind === 'success' && <Button kind="text">View in transactions</Button>}
        />
      </Specimen>
      <Specimen name="Dialog">
        <SpecimenLine>
          <Button kind="quiet" onClick={() => setAsking(true)}>
            Delete…
          </Button>
          <Button kind="quiet" onClick={() => setReading(true)}>
            At the side
          </Button>
          <Button kind="quiet" onClick={() => setFilling(true)}>
            With a form
          </Button>
          <Switch label="Ask before leaving this page" checked={guarded} onChange={setGuarded} />
        </SpecimenLine>
        <LeaveGuard when={guarded} />
        <Dialog
          open={asking}
          onClose={() => setAsking(false)}
          title="Delete User"
          description="Are you sure you want to delete this user? This action cannot be undone."
          actions={
            <>
              <Button kind="quiet" onClick={() => setAsking(false)}>
                {appMessages.cancel}
              </Button>
              <Button kind="danger" onClick={() => setAsking(false)}>
                Delete User
              </Button>
            </>
          }
        >
          <Person
            className="Specimen-below"
            firstName="Hollis"
            lastName="Vane"
            detail="4450 6673 1909, $1,254.90"
          />
        </Dialog>
        {filling && (
          <FormDialog
            open
            title="New savings goal"
            submitLabel="Add goal"
            busy={waiting}
            busyLabel={settingsMessages.saving}
            failed={errorMessages.fault}
            onSubmit={wait}
            onClose={() => setFilling(false)}
          >
            <div className="FormDialog-pair">
              <TextField label="Name" value="" onChange={() => {}} />
              <TextField label="By" type="date" value="" onChange={() => {}} />
            </div>
          </FormDialog>
        )}
        <Dialog
          open={reading}
          onClose={() => setReading(false)}
          size="side"
          title={transactionsMessages.titleSent}
          actions={
            <Button kind="quiet" onClick={() => setReading(false)}>
              {appMessages.close}
            </Button>
          }
        >
          <Person
            className="Specimen-below"
            firstName="Hollis"
            lastName="Vane"
            detail="4450 6673 1909, $1,254.90"
          />
        </Dialog>
      </Specimen>
    </>
  );
}
