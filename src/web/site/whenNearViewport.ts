/** Delays the lower part of a prerendered page until the reader scrolls near it. */

/** Distance below the viewport, in pixels, that counts as near. */
const nearDistance = 700;

/**
 * Resolves when the element with this id comes near the viewport, or at the first pointer or key press. Resolves immediately if
 * the element does not exist: then nothing was prerendered, and the part is needed now. So it is if the URL has a fragment: the
 * reader may have pressed a link into this part before it was hydrated.
 */
export function whenNearViewport(id: string): Promise<void> {
  // Looked up each time: hydration can replace the element.
  const isNear = () => {
    const place = document.getElementById(id);
    return !place || place.getBoundingClientRect().top < innerHeight + nearDistance;
  };
  if (typeof document === 'undefined' || location.hash || isNear()) return Promise.resolve();
  return new Promise(resolve => {
    const stop = new AbortController();
    const go = () => {
      stop.abort();
      resolve();
    };
    const check = () => isNear() && go();
    for (const event of ['scroll', 'resize']) addEventListener(event, check, { signal: stop.signal });
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, go, { signal: stop.signal });
  });
}

/** Resolves when the browser is online again or the reader scrolls, but not within a second: a scroll has many events. */
export async function whenWorthRetry(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 1_000));
  await new Promise(resolve => {
    for (const event of ['online', 'scroll']) addEventListener(event, resolve, { once: true });
  });
}
