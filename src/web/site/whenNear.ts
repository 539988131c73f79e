/** Waits with the lower part of a finished page until somebody comes near it. */

/** How far below the window "near" begins, in pixels. */
const reach = 700;

/**
 * Resolves when the element with this id comes near the window, or at the first press or key. At once where there is no such
 * element yet: then nothing has been prerendered, and the part is needed now.
 */
export function whenNear(id: string): Promise<void> {
  // Looked up each time: a page that is pressed while it comes alive may be drawn anew.
  const isNear = () => {
    const place = document.getElementById(id);
    return !place || place.getBoundingClientRect().top < innerHeight + reach;
  };
  if (typeof document === 'undefined' || isNear()) return Promise.resolve();
  return new Promise(resolve => {
    const stop = new AbortController();
    const go = () => {
      stop.abort();
      resolve();
    };
    const look = () => isNear() && go();
    for (const event of ['scroll', 'resize']) addEventListener(event, look, { signal: stop.signal });
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, go, { signal: stop.signal });
  });
}
