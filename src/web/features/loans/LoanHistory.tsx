/** Every loan with its remaining amount, the totals, and how to pay or apply. */
import { useState } from 'react';
import * as loansMessages from '#contract/messages/loans.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { HelpDeskDialog } from './HelpDeskDialog.tsx';
import { LoanCard } from './LoanCard.tsx';
import { LoanSummary } from './LoanSummary.tsx';
import type { Loan } from './loanOn.ts';
import { words } from './words.ts';
import './LoanHistory.css';

export type LoanHistoryProps = {
  loans: readonly Loan[];
  /** Today in the bank's time zone, `2026-11-21`. */
  today: string;
};

export function LoanHistory({ loans, today }: LoanHistoryProps) {
  const [helpDeskTopic, setHelpDeskTopic] = useState<Loan | 'apply'>();
  const apply = () => setHelpDeskTopic('apply');
  return (
    <>
      <div className="LoanHistory-top">
        <h1 className="type-title">{loansMessages.title}</h1>
        {loans.length > 0 && <Badge kind="sample">{words.sample}</Badge>}
        <Button onClick={apply}>{loansMessages.apply}</Button>
        {loans.length > 0 && <p className="type-note">{words.sampleNote}</p>}
      </div>
      {loans.length > 0 ? (
        <>
          <LoanSummary loans={loans} today={today} />
          {loans.map(loan => (
            <LoanCard key={loan.id} loan={loan} onPay={() => setHelpDeskTopic(loan)} />
          ))}
        </>
      ) : (
        <Panel as="div" className="LoanHistory-none">
          <EmptyState
            level={2}
            title={loansMessages.none}
            action={
              <Button kind="quiet" onClick={apply}>
                {loansMessages.apply}
              </Button>
            }
          >
            {words.noneText}
          </EmptyState>
        </Panel>
      )}
      <HelpDeskDialog about={helpDeskTopic} onClose={() => setHelpDeskTopic(undefined)} />
    </>
  );
}
