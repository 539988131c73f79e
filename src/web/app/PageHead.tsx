/** The page's title and meta description, taken from the deepest matched route that has them. */

import { bank } from '#contract/constants.ts';
import { useHandles } from '#web/router/hooks.ts';
import type { RouteHandle } from './screens.ts';

export function PageHead() {
  const page = useHandles()
    .map(handle => (handle as RouteHandle | undefined)?.page)
    .findLast(found => found !== undefined);
  const title = page?.title ?? '';
  return (
    <>
      <title>{title.includes(bank.shortName) ? title : title ? `${title} · ${bank.name}` : bank.name}</title>
      {page?.description && <meta name="description" content={page.description} />}
      {page?.description && <meta property="og:title" content={title} />}
      {page?.description && <meta property="og:description" content={page.description} />}
    </>
  );
}
