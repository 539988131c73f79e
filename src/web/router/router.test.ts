/** Which routes a path opens, and how a navigation waits, is blocked, is replaced by another navigation, or fails. */
import { expect, test, vi } from 'vitest';
import { openMemoryHistory } from './history.ts';
import { matchRoutes, type RouteObject } from './matching.ts';
import { createRouter } from './router.ts';

const Screen = () => null;

const routes: RouteObject[] = [
  {
    Component: Screen,
    children: [
      { index: true, handle: 'home' },
      { path: '/about', handle: 'about' },
      {
        path: '/dashboard',
        handle: 'shell',
        children: [
          { index: true, handle: 'overview' },
          { path: 'transactions', handle: 'list', children: [{ path: ':id', handle: 'transaction' }] },
        ],
      },
      { path: '*', handle: 'not found' },
    ],
  },
];
const handlesAt = (path: string) =>
  matchRoutes(routes, path).routes.flatMap(({ handle }) => (handle === undefined ? [] : [handle]));

test('a path opens its route inside the routes around it, whatever its case and its slash at the end', () => {
  expect(handlesAt('/')).toEqual(['home']);
  expect(handlesAt('/About/')).toEqual(['about']);
  expect(handlesAt('/dashboard')).toEqual(['shell', 'overview']);
  expect(handlesAt('/dashboard/transactions')).toEqual(['shell', 'list']);
  expect(handlesAt('/dashboard/transactions/a%20b')).toEqual(['shell', 'list', 'transaction']);
  expect(matchRoutes(routes, '/dashboard/transactions/a%20b').params).toEqual({ id: 'a b' });
  expect(matchRoutes(routes, '/dashboard/transactions/%zz').params).toEqual({ id: '%zz' });
  for (const path of ['/aboutus', '/dashboard/none', '/dashboard/transactions/a/b'])
    expect(handlesAt(path)).toEqual(['not found']);
});

/** A router at / with the given further routes, and what its user sees. */
function open(...more: RouteObject[]) {
  const router = createRouter([{ path: '/', Component: Screen }, ...more], openMemoryHistory(['/']));
  router.start();
  return { router, at: () => router.state.location.pathname + router.state.location.search };
}

test('the old screen stays until the new one is fetched, and the last of two navigations wins', async () => {
  const slow = Promise.withResolvers<typeof Screen>();
  const { router, at } = open(
    { path: '/slow', lazy: () => slow.promise },
    { path: '/quick', Component: Screen },
  );
  const first = router.navigate('/slow');
  expect([at(), router.state.isLoading]).toEqual(['/', true]);
  await router.navigate('/quick');
  expect([at(), router.state.isLoading]).toEqual(['/quick', false]);
  slow.resolve(Screen);
  await first;
  expect(at()).toBe('/quick');
  await router.navigate('/slow');
  expect([at(), router.state.failed]).toEqual(['/slow', false]);
});

test('a screen that cannot be fetched is reported at its URL, and is fetched again by the next navigation', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const lazy = vi
    .fn<() => Promise<typeof Screen>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue(Screen);
  const { router, at } = open({ path: '/far', lazy });
  await router.navigate('/far');
  expect([at(), router.state.failed]).toEqual(['/far', true]);
  await router.navigate('/far', { replace: true });
  expect([at(), router.state.failed]).toEqual(['/far', false]);
  errors.mockRestore();
});

test('a blocked navigation, by a link or by Back, changes nothing until it is confirmed', async () => {
  const { router, at } = open({ path: '/form', Component: Screen }, { path: '/other', Component: Screen });
  await router.navigate('/form');
  router.setBlocker((from, to) => from.pathname !== to.pathname);
  await router.navigate({ search: 'page=2' });
  expect(at()).toBe('/form?page=2');
  for (const leave of ['/other', -2]) {
    await router.navigate(leave);
    expect([at(), router.state.blocked !== undefined]).toEqual(['/form?page=2', true]);
    router.state.blocked!.reset();
    expect([at(), router.state.blocked]).toEqual(['/form?page=2', undefined]);
  }
  await router.navigate(-2);
  router.state.blocked!.proceed();
  expect([at(), router.state.blocked]).toEqual(['/', undefined]);
});

test('Forward finds what a screen stored in its history entry, and replacing an entry removes what it stored', async () => {
  const { router, at } = open();
  await router.navigate('?step=2', { state: { email: 'wren@larkspur.example' } });
  await router.navigate('?step=3', { replace: true });
  expect([at(), router.state.location.state]).toEqual(['/?step=3', null]);
  await router.navigate('?step=4', { state: 4 });
  await router.navigate(-1);
  expect(at()).toBe('/?step=3');
  await router.navigate(1);
  expect([at(), router.state.location.state]).toEqual(['/?step=4', 4]);
});
