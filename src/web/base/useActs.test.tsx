/** The acts of a row when the state is read after a lost answer. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import { renderWith } from '../../../tests/renderWith.tsx';
import { unanswered } from './callError.ts';
import { makeStore } from './store.ts';
import { useActs } from './useActs.ts';

test.each([
  ['after', 'nothing has changed', 1000, errorMessages.actUndone],
  ['before', 'the result is not known', -1000, errorMessages.actUnknown],
])(
  'after a lost answer, a state from %s the press tells the customer that %s [ER-18]',
  async (_, __, age, text) => {
    const refetch = async () => ({
      data: 'before',
      // While another read is under way, a failed one is not an error.
      isError: false,
      startedTimeStamp: Date.now(),
      fulfilledTimeStamp: Date.now() + age,
    });
    function Row() {
      const { act: press, failed } = useActs({ data: 'before', refetch }, '');
      const send = async () => ({ error: unanswered('NETWORK') });
      return (
        <button type="button" onClick={() => void press('pause', send, now => now === 'before')}>
          Pause{failed}
        </button>
      );
    }
    renderWith(makeStore(), <Row />);
    await act(() => userEvent.click(screen.getByRole('button')));
    expect(screen.getByRole('button').textContent).toBe(`Pause${text}`);
  },
);
