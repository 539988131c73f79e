/** The notice of Settings when two forms are saved one after the other. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { SettingsNotice } from './SettingsNotice.tsx';
import { settingsNoted } from './settingsSlice.ts';
import { useFormSave } from './useFormSave.ts';

const lost = { error: { status: 'NETWORK', message: 'Network error' } };

function Form() {
  const [data, setData] = useState({ limit: 1 });
  const { save } = useFormSave({ data, refetch: async () => ({ data, isError: false }) }, 'Saved');
  return (
    <>
      <SettingsNotice />
      <button type="button" onClick={() => void save({ limit: 2 }, async () => lost)}>
        Save
      </button>
      <button type="button" onClick={() => setData({ limit: 2 })}>
        Arrive late
      </button>
    </>
  );
}

test.each([
  ['no longer reads the error', undefined],
  ['still reads that another form was saved', 'Profile saved'],
])('a customer whose lost change is there after all %s [ER-18]', async (_, other) => {
  const store = makeStore();
  renderWith(store, <Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/^We didn’t get an answer/, {}, waitOptions);
  if (other) act(() => void store.dispatch(settingsNoted({ request: 'success', message: other })));
  await userEvent.click(screen.getByRole('button', { name: 'Arrive late' }));
  if (other) expect(screen.getByText(other)).toBeTruthy();
  expect(screen.queryByText(/^We didn’t get an answer/)).toBeNull();
});
