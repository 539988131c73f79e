/** The statements of every month, each with its figures and a button that saves it as a PDF. */
import { useState } from 'react';
import { calendarDay, nameOfDays, nameOfMonth } from '#contract/bankTime.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { recordsApi, type Statement } from '#contract/records.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Money } from '#web/bank/Money.tsx';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useStatementsQuery } from './recordsCalls.ts';
import { statementWords as words } from './words.ts';
import './StatementsDialog.css';

export function StatementsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data, isError, refetch } = useStatementsQuery(undefined, { skip: !open });
  const { save, bytes, failed } = useSaveFile(words.failedText);
  const [month, setMonth] = useState<string>();
  const download = (_id: string) => {
    setMonth(_id);
    void save(recordsApi.statement, { params: { month: _id } });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="m"
      title={recordsMessages.statements}
      description={words.about}
      closeLabel={appMessages.close}
    >
      {failed && (
        <Banner kind="error" title={words.failed}>
          {failed}
        </Banner>
      )}
      {!data && !isError && <Skeleton kind="rows" count={4} label={words.loading} />}
      {!data && isError && <LoadFailed title={words.listFailed} onRetry={refetch} />}
      {data && (
        <ul className="StatementsDialog-list" aria-label={recordsMessages.statements}>
          {data.map(statement => (
            <StatementRow
              key={statement._id}
              statement={statement}
              busy={bytes !== undefined && month === statement._id}
              disabled={bytes !== undefined && month !== statement._id}
              onSave={() => download(statement._id)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type StatementRowProps = { statement: Statement; busy: boolean; disabled: boolean; onSave: () => void };

function StatementRow({ statement, busy, disabled, onSave }: StatementRowProps) {
  const { _id, from, to, closingBalance, moneyIn, moneyOut, count } = statement;
  const month = nameOfMonth(_id, 'full');
  const isSoFar = calendarDay(new Date()).startsWith(_id);
  const days = nameOfDays(from, to);
  return (
    <li>
      <div>
        <b>{month}</b>
        <span>
          <Ranges>{isSoFar ? fill(recordsMessages.soFar, { days }) : days}</Ranges>
        </span>
      </div>
      <div className="StatementsDialog-money">
        <span>
          {isSoFar ? recordsMessages.balanceNow : words.closing}{' '}
          <Money dollars={closingBalance} form="plain" />
        </span>
        {count === 0 ? (
          <span>{words.none}</span>
        ) : (
          <>
            <span>
              {recordsMessages.moneyIn} <Money dollars={moneyIn} direction="in" form="plain" />
            </span>{' '}
            <span>
              {recordsMessages.moneyOut} <Money dollars={moneyOut} direction="out" form="plain" />
            </span>
          </>
        )}
      </div>
      <Button
        kind="quiet"
        size="s"
        icon="download"
        busy={busy}
        disabled={disabled}
        aria-label={fill(words.saveNamed, { month })}
        onClick={onSave}
      >
        {words.save}
      </Button>
    </li>
  );
}
