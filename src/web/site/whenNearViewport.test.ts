/** When the lower part of a prerendered page is loaded. */
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { whenNearViewport } from './whenNearViewport.ts';

afterEach(() => vi.restoreAllMocks());

function addFarPlace(): void {
  const place = document.body.appendChild(document.createElement('div'));
  place.id = 'far';
  onTestFinished(() => place.remove());
  vi.spyOn(place, 'getBoundingClientRect').mockReturnValue({ top: 10_000 } as DOMRect);
}

test('a visitor who pressed a link into the lower part of a page before it was hydrated sees that part [H-02]', async () => {
  addFarPlace();
  location.hash = '#services';
  onTestFinished(() => history.replaceState(null, '', location.pathname));
  await whenNearViewport('far');
});

test('a visitor at the top of a page loads its lower part with the first press [H-02]', async () => {
  addFarPlace();
  const isLoaded = vi.fn();
  const loading = whenNearViewport('far').then(isLoaded);
  await Promise.resolve();
  expect(isLoaded).not.toHaveBeenCalled();
  dispatchEvent(new Event('pointerdown'));
  await loading;
});
