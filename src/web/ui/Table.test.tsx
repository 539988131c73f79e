/** A table whose rows have just moved ignores clicks for a moment, so that a click never hits the wrong row. */
import { act, render } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Table } from './Table.tsx';

beforeEach(() => void vi.useFakeTimers());
type Row = { id: string };
const table = (ids: string[], place: 'actions' | 'line' = 'actions') => (
  <Table<Row>
    caption="Approvals"
    columns={[
      { key: 'id', head: 'Name', cell: row => row.id },
      { key: 'act', head: 'Actions', place, cell: () => <button type="button">Approve</button> },
    ]}
    rows={ids.map(id => ({ id }))}
    rowKey={row => row.id}
  />
);
const isSettling = () => document.querySelector('.Table--settling') !== null;

test('a table whose rows just changed ignores clicks for a moment, then accepts them again', () => {
  const { rerender } = render(table(['odile', 'rufus']));
  expect(isSettling()).toBe(false);
  rerender(table(['odile', 'rufus']));
  expect(isSettling()).toBe(false);
  rerender(table(['rufus']));
  expect(isSettling()).toBe(true);
  act(() => void vi.advanceTimersByTime(400));
  expect(isSettling()).toBe(false);
});

test('a table without an actions column never ignores clicks', () => {
  const { rerender } = render(table(['odile', 'rufus'], 'line'));
  rerender(table(['rufus'], 'line'));
  expect(isSettling()).toBe(false);
});
