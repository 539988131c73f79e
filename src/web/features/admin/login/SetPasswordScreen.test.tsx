/** The page that sets an administrator's password, before and after it is hydrated. */
import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { MemoryRouter } from '../../../../../tests/memoryRouter.tsx';
import { SetPasswordScreen } from './SetPasswordScreen.tsx';

test('a password typed before the page is hydrated is kept [SD-12]', () => {
  const page = (
    <Provider store={makeStore()}>
      <MemoryRouter>
        <SetPasswordScreen />
      </MemoryRouter>
    </Provider>
  );
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(page);
  const field = () => screen.getByLabelText<HTMLInputElement>('New password');
  field().value = 'three herons by the weir';
  render(page, { container, hydrate: true });
  expect(field().value).toBe('three herons by the weir');
});
