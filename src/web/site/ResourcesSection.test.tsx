/** The categories of the articles: what Back from an article shows. */
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../tests/memoryRouter.tsx';
import { ResourcesSection } from './ResourcesSection.tsx';

test('a reader who goes back from an article finds the category that they had chosen, and a new visit shows all [H-13]', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const router = createMemoryRouter([
    { path: '/', Component: ResourcesSection },
    { path: '/resources/:slug', element: <p>An article</p> },
  ]);
  render(<RouterProvider router={router} />);
  const chosen = () => screen.getByRole('button', { pressed: true }).textContent;
  await userEvent.click(screen.getByRole('button', { name: 'Guides' }));
  expect(screen.getAllByRole('link')).toHaveLength(2);
  await userEvent.click(screen.getAllByRole('link')[1]!);
  expect(await screen.findByText('An article')).toBeTruthy();
  await act(() => router.navigate(-1));
  expect(chosen()).toBe('Guides');
  expect(screen.getAllByRole('link')).toHaveLength(2);
  await userEvent.click(screen.getAllByRole('link')[1]!);
  await act(() => router.navigate('/'));
  expect(chosen()).toBe('all');
});
