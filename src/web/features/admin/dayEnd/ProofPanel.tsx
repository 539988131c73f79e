/** The newest proof of the books, its progress while it runs, and the button that starts a proof. */
import { useEffect, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import { dayEndApi, type Proof } from '#contract/dayEnd.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { useDayEndQuery, useProofQuery, useStartProofMutation } from '../deskCalls.ts';
import { type Failure, failureOf } from '../panel/actRefusalText.ts';
import { useMay } from '../panel/useRole.ts';
import { words as panelWords } from '../words.ts';
import { stateOf, dayEndWords as words } from './dayEndWords.ts';
import './ProofPanel.css';

const progressMs = 1_000;

export function ProofPanel({ proof: newest }: { proof: Proof | undefined }) {
  const isRunning = newest?.state === 'running';
  const { refetch } = useDayEndQuery();
  const { currentData } = useProofQuery(
    { params: { id: newest?._id ?? '' } },
    { skip: !isRunning, pollingInterval: progressMs },
  );
  const proof = currentData?._id === newest?._id ? (currentData ?? newest) : newest;
  const hasEnded = isRunning && proof?.state !== 'running';
  const [start, { isLoading }] = useStartProofMutation();
  /** `before`: the newest proof when the button was pressed. */
  const [failed, setFailed] = useState<Failure & { before: string | undefined }>();
  // The proof that the lost answer was about is running by now, or has run, whoever started it.
  const isKnown = failed?.isUnknown && failed.before !== newest?._id;
  const mayStart = useMay()(dayEndApi.startProof);
  useEffect(() => {
    if (hasEnded) void refetch();
  }, [hasEnded, refetch]);

  const press = async () => {
    setFailed(undefined);
    const before = newest?._id;
    const answer = await start();
    if (!answer.data) setFailed({ ...failureOf(answer.error), before });
  };
  return (
    <Panel label={words.proof} className="ProofPanel">
      <h2 className="type-head">{words.proof}</h2>
      <p className="type-small ProofPanel-note">{proof ? words.proofText : words.noProof}</p>
      {proof && <Facts proof={proof} />}
      {proof?.state === 'running' && (
        <Progress label={words.progress} value={proof.records} max={proof.allRecords} />
      )}
      {failed && !isKnown && <Banner kind={failed.isUnknown ? 'warning' : 'error'} title={failed.text} />}
      {mayStart && (
        <Button
          kind="quiet"
          busy={isLoading}
          disabled={proof?.state === 'running'}
          onClick={() => void press()}
        >
          {words.start}
        </Button>
      )}
    </Panel>
  );
}

function Facts({ proof }: { proof: Proof }) {
  const { startedAt, finishedAt, askedBy, isWhole, records, transactions, faults, state } = proof;
  return (
    <>
      <Slip
        rows={[
          { label: words.result, value: <Status {...stateOf(proof)} /> },
          { label: words.startedAt, value: dayAndTime(startedAt) },
          finishedAt && {
            label: words.took,
            value: words.duration(Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)),
          },
          { label: words.askedBy, value: askedBy?.name ?? words.nightly },
          { label: words.scope, value: isWhole ? words.whole : words.sinceLast },
          {
            label: words.checked,
            value:
              state === 'unfinished'
                ? panelWords.none
                : words.checkedText(formatCount(records), formatCount(transactions)),
          },
        ]}
      />
      {faults.length > 0 && (
        <Banner kind="error" title={words.faults(faults.length)}>
          <ul className="ProofPanel-faults">
            {faults.map(fault => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Banner>
      )}
      {state === 'unfinished' && <Banner kind="warning" title={words.unfinishedText} />}
    </>
  );
}
