/** The columns of the audit log. */

import type { AuditEntry } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { Icon } from '#web/ui/Icon.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { Moment } from '../panel/Moment.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { actionText, auditWords, subjectText } from './auditWords.ts';
import './AuditTable.css';

const nothing = <span className="AuditTable-none">{auditWords.dash}</span>;

export type AuditActions = {
  /** Narrows the log to the entries about the person or transaction with this id. */
  onOnly: (id: string) => void;
  /** Opens the retained data of a deleted customer; undefined if the role may not open them. */
  onRetained: ((record: AuditEntry) => void) | undefined;
};

export function auditColumns({ onOnly, onRetained }: AuditActions): Column<AuditEntry>[] {
  const name = (id: string, text: string) => (
    <button
      type="button"
      className="link AuditTable-name"
      title={fill(auditWords.only, { name: text })}
      onClick={() => onOnly(id)}
    >
      {text}
    </button>
  );
  return [
    {
      key: 'when',
      head: auditWords.when,
      place: 'detail',
      cell: record => <Moment small iso={record.at} withTime />,
    },
    {
      key: 'what',
      head: auditWords.what,
      place: 'title',
      cell: record => (
        <>
          <span className="AuditTable-action">{actionText(record.action)}</span>
          {record.details && <span className="AuditTable-small">{record.details}</span>}
        </>
      ),
    },
    {
      key: 'actor',
      head: auditWords.actor,
      cell: record => (
        <span>
          {record.actorId ? name(record.actorId, record.actorName) : record.actorName}
          {record.actorKind !== 'system' && (
            <span className="AuditTable-small AuditTable-kind">
              {adminMessages.actorKinds[record.actorKind]}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'about',
      head: auditWords.about,
      cell: record => {
        if (!record.subject) return nothing;
        return record.subjectName ? (
          <span className="AuditTable-subject">
            {name(record.subject, record.subjectName)}
            {onRetained && record.retainedUntil && (
              <RowButton
                name={auditWords.retained.openOf(record.subjectName)}
                onPress={() => onRetained(record)}
              >
                {auditWords.retained.open}
              </RowButton>
            )}
          </span>
        ) : (
          <span className="AuditTable-small" title={record.subject}>
            {subjectText(record.action, record.subject)}
          </span>
        );
      },
    },
    {
      key: 'address',
      head: auditWords.address,
      place: 'figure',
      cell: record =>
        record.address ? (
          <span className="AuditTable-small AuditTable-address">{record.address}</span>
        ) : (
          nothing
        ),
    },
    {
      key: 'seal',
      head: auditWords.seal,
      cell: record => (
        <span className={record.isSealed ? 'AuditTable-seal AuditTable-seal--done' : 'AuditTable-seal'}>
          <Icon name={record.isSealed ? 'lock' : 'clock'} size={16} />
          {record.isSealed ? auditWords.sealed : auditWords.unsealed}
        </span>
      ),
    },
  ];
}
