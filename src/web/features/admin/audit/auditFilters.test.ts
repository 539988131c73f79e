/** The audit log's filters in the URL, and the words for actions and for records without a name. */
import { expect, test } from 'vitest';
import { auditFiltersAddress, auditQuery, noAuditFilters, readAuditFilters } from './auditFilters.ts';
import { actionText, subjectText } from './auditWords.ts';

const filters = {
  actorKind: 'admin',
  action: 'customer.frozen',
  person: '01a1ffd2-0000-7000-8000-000000000001',
  startDate: '2026-11-01',
  endDate: '2026-11-21',
};

test('a bookmarked address restores the same filters', () => {
  const address = new URLSearchParams(auditFiltersAddress(filters).search);
  expect(address.get('view')).toBe('audit');
  expect(readAuditFilters(address)).toEqual(filters);
  expect(auditQuery(filters)).toEqual(filters);
});

test('invalid values are left out of the query', () => {
  const nonsense = new URLSearchParams(
    'actorKind=cat&action=%3Cb%3E&person=7&startDate=soon&endDate=2026-02-31',
  );
  expect(readAuditFilters(nonsense)).toEqual(noAuditFilters);
  expect(auditQuery(noAuditFilters)).toEqual({});
});

test('an action that this version does not know still reads as words', () => {
  expect(actionText('customer.frozen')).toBe('Account frozen');
  expect(actionText('vault.re-opened')).toBe('vault re opened');
});

test('an auditor reads what a record without a name is about, if this version knows its action [SX-11]', () => {
  const id = '01a1ffd2-0000-7000-8000-0000000000ab';
  expect(subjectText('message.viewed', id)).toBe('Message 000000ab');
  expect(subjectText('rail.resolved', id)).toBe('Rail exception 000000ab');
  expect(subjectText('proof.started', id)).toBe('Proof of the books 000000ab');
  expect(subjectText('transactions.listed', id)).toBe('Transaction 000000ab');
  expect(subjectText('customers.listed', id)).toBe('Customer 000000ab');
  expect(subjectText('audit.listed', '4711')).toBe('Audit record 4711');
  expect(subjectText('newer.action', id)).toBe(id);
});
