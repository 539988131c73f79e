/** The categories of the articles: what Back from an article shows. */
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openMemoryHistory } from '#web/router/history.ts';

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

/** Loads the page at the current entry of `history`. As after a reload, nothing is in memory. */
async function open(history = openMemoryHistory(['/'])) {
  vi.resetModules();
  const { createRouter } = await import('#web/router/router.ts');
  const { RouterProvider } = await import('#web/router/RouterProvider.tsx');
  const { ResourcesSection } = await import('./ResourcesSection.tsx');
  const routes = [
    { path: '/', Component: ResourcesSection },
    { path: '/resources/:slug', element: <p>An article</p> },
  ];
  const router = createRouter(routes, history);
  const { unmount } = render(<RouterProvider router={router} />);
  return { history, router, unmount };
}

test('a reader who goes back from an article finds the category that they had chosen, and a new visit shows all [H-13]', async () => {
  const { router } = await open();
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

test('a reader who reloads an article and goes back finds the category that they had chosen [H-13]', async () => {
  const { history, unmount } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Guides' }));
  await userEvent.click(screen.getAllByRole('link')[1]!);
  expect(await screen.findByText('An article')).toBeTruthy();
  unmount();
  const { router } = await open(history);
  await act(() => router.navigate(-1));
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Guides');
});
