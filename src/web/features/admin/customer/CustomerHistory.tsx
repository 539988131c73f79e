/** What the audit log says about one customer: what the staff did, why, and what the customer did. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { AuditRecords } from '../audit/AuditRecords.tsx';
import { noAuditFilters } from '../audit/auditFilters.ts';
import { useAuditTrail } from '../audit/useAuditTrail.ts';
import { auditAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import './CustomerHistory.css';

const kinds = ['all', 'admin', 'customer'] as const;

export function CustomerHistory({ id }: { id: string }) {
  const [kind, setKind] = useState<(typeof kinds)[number]>('all');
  const trail = useAuditTrail({ ...noAuditFilters, person: id, actorKind: kind === 'all' ? '' : kind });
  const navigate = useNavigate();
  return (
    <>
      <Segmented
        className="CustomerHistory-kind"
        legend={words.historyOf}
        value={kind}
        onChange={setKind}
        options={kinds.map(value => ({ value, label: words.historyKinds[value] }))}
      />
      <AuditRecords
        label={words.history}
        trail={trail}
        onOnly={person => void navigate(auditAddress(person))}
        empty={<EmptyState title={words.noHistory}>{words.noHistoryText}</EmptyState>}
      />
    </>
  );
}
