/** The focus in a list whose rows change once they are decided. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useNextRow } from './useNextRow.ts';

type Row = { _id: string; isTaken?: boolean };

let decide: (id: string) => void;

function List({ rows }: { rows: readonly Row[] }) {
  const next = useNextRow(rows, false);
  decide = next.decide;
  return (
    <div ref={next.place}>
      <table>
        <tbody>
          {rows.map(({ _id, isTaken }) => (
            <tr key={_id}>
              <td>
                {!isTaken && <button type="button" id={`take ${_id}`} />}
                <button type="button" id={`close ${_id}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

test('a decided row that stays but loses its button gets the focus once, and later lists do not move the focus [FA-08]', () => {
  const { rerender } = render(<List rows={[{ _id: 'a' }, { _id: 'b' }]} />);
  document.getElementById('take b')!.focus();
  decide('b');
  rerender(<List rows={[{ _id: 'a' }, { _id: 'b', isTaken: true }]} />);
  expect(document.activeElement?.id).toBe('close b');
  document.getElementById('close b')!.blur();
  rerender(<List rows={[{ _id: 'b', isTaken: true }, { _id: 'c' }]} />);
  expect(document.activeElement).toBe(document.body);
  document.getElementById('close c')!.focus();
  rerender(<List rows={[{ _id: 'c' }]} />);
  expect(document.activeElement?.id).toBe('close c');
});
