// @vitest-environment jsdom
/** A table whose rows have just moved: a press that was meant for one of them must not meet another. */
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Table } from './Table.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

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

test('whose rows changed takes no press for a moment, and then takes them again', () => {
  const { rerender } = render(table(['odile', 'rufus']));
  expect(isSettling()).toBe(false);
  rerender(table(['odile', 'rufus']));
  expect(isSettling()).toBe(false);
  rerender(table(['rufus']));
  expect(isSettling()).toBe(true);
  act(() => void vi.advanceTimersByTime(400));
  expect(isSettling()).toBe(false);
});

test('that only shows things never waits', () => {
  const { rerender } = render(table(['odile', 'rufus'], 'line'));
  rerender(table(['rufus'], 'line'));
  expect(isSettling()).toBe(false);
});
