/** Waits with the lower part of a finished page until somebody comes near it. */

/** How far below the window "near" begins. */
const reach = '700px 0px';

/**
 * Resolves when the element with this id comes near the window, or at the first press or key. At once where there is no such
 * element yet: then nothing has been prerendered, and the part is needed now.
 */
export function whenNear(id: string): Promise<void> {
  const place = typeof document === 'undefined' ? null : document.getElementById(id);
  if (!place) return Promise.resolve();
  return new Promise(resolve => {
    const stop = new AbortController();
    const watch = new IntersectionObserver(entries => entries.some(one => one.isIntersecting) && go(), {
      rootMargin: reach,
    });
    const go = () => {
      watch.disconnect();
      stop.abort();
      resolve();
    };
    watch.observe(place);
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, go, { signal: stop.signal });
  });
}
