/**
 * The title of the section around an element, as a ref for a dialog's `finalFocus`: it gets the focus when the button that
 * opened the dialog disappears from the section. A list would not do, because the dialog would focus the first button in it.
 */
import type { RefObject } from 'react';

export const sectionTitle = (inside: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> => ({
  get current() {
    return inside.current?.closest('section')?.querySelector<HTMLElement>('h2[tabindex]') ?? null;
  },
});
