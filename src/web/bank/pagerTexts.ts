/** The texts of all pagers. */
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import type { PagerTexts } from '#web/ui/Pager.tsx';

export const pagerTexts: PagerTexts = {
  label: appMessages.pages,
  previous: appMessages.previous,
  next: appMessages.next,
  position: (page, pages) => fill(appMessages.pageOf, { page, pages }),
  goTo: appMessages.goToPage,
  page: appMessages.page,
  go: appMessages.go,
};
