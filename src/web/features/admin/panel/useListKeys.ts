/**
 * The keyboard in the panel's lists. `/` moves the focus to the search field. The arrow keys move between the rows of a table,
 * and between its first row and the search field. Enter opens a row because its focused control is a link or a button.
 */
import { useEffect } from 'react';

const controls = 'a[href], button:enabled, input:enabled';

/** Listens while the panel is mounted. */
export function useListKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const { activeElement: focused } = document;
  // A dialog has its own keys, and the page behind it does not react.
  if (focused?.closest('[role="dialog"]')) return;
  const next =
    event.key === '/' && !isTyping(focused)
      ? searchField()
      : event.key === 'ArrowDown'
        ? below(focused)
        : event.key === 'ArrowUp'
          ? above(focused)
          : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const isTyping = (element: Element | null) =>
  element?.matches('input, select, textarea, [contenteditable]') ?? false;

const searchField = () => document.querySelector<HTMLElement>('main input[type="search"]');

function below(focused: Element | null): HTMLElement | undefined {
  if (focused && focused === searchField()) return firstControl(document.querySelector('main tbody > tr'));
  const row = focused?.closest('tbody > tr');
  return row ? sameControl(row, focused, row.nextElementSibling) : undefined;
}

function above(focused: Element | null): HTMLElement | undefined {
  const row = focused?.closest('tbody > tr');
  if (!row) return undefined;
  return row.previousElementSibling
    ? sameControl(row, focused, row.previousElementSibling)
    : (searchField() ?? undefined);
}

/** The row's first link or button; without one, its first control. On a checkbox or a switch, Enter does nothing. */
const firstControl = (row: Element | null) =>
  row?.querySelector<HTMLElement>('a[href], button:enabled') ??
  row?.querySelector<HTMLElement>(controls) ??
  undefined;

/** Returns the control of row `to` in the same column, or that row's last control: rows can differ in their controls. */
function sameControl(from: Element, focused: Element | null, to: Element | null): HTMLElement | undefined {
  const cell = focused?.closest('td');
  const column = cell ? [...from.children].indexOf(cell) : -1;
  const place = cell ? [...cell.querySelectorAll(controls)].indexOf(focused!) : -1;
  const inColumn = [...(to?.children[column]?.querySelectorAll<HTMLElement>(controls) ?? [])];
  const all = [...(to?.querySelectorAll<HTMLElement>(controls) ?? [])];
  return inColumn[place] ?? inColumn.at(-1) ?? all.at(-1);
}
