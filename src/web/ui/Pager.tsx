/**
 * 'Page X of Y' between Previous and Next. Previous is disabled on the first page and Next on the last. An empty list is page 1
 * of 1.
 */
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { PageJump, type PageJumpTexts } from './PageJump.tsx';
import './Pager.css';

/** Up to this many pages, Previous and Next are enough. */
const manyPages = 10;

export type PagerTexts = PageJumpTexts & {
  /** 'Pages', the pager's accessible name. */
  label: string;
  previous: string;
  next: string;
  /** 'Page 2 of 4'. */
  position: (page: number, pages: number) => string;
};

export type PagerProps = {
  texts: PagerTexts;
  page: number;
  pageCount: number;
  onPage: (page: number) => void;
  /** Replaces 'Page X of Y', e.g. with the total after it. */
  text?: ReactNode;
  /** Distinguishes two pagers on one page. */
  label?: string | undefined;
  busy?: boolean | undefined;
  /** Adds a page number field if there are many pages. */
  jump?: boolean | undefined;
};

export function Pager(props: PagerProps) {
  const { texts, page, pageCount, onPage, text, label = texts.label, busy, jump } = props;
  const pages = Math.max(1, pageCount);
  const go = (target: number) => {
    if (!busy && target >= 1 && target <= pages) onPage(target);
  };
  return (
    <nav className="Pager" aria-label={label}>
      <p role="status">{text ?? texts.position(page, pages)}</p>
      {jump && pages > manyPages && <PageJump pages={pages} onPage={go} texts={texts} />}
      <div>
        <Button kind="quiet" icon="left" disabled={page <= 1} onClick={() => go(page - 1)}>
          {texts.previous}
        </Button>
        <Button
          kind="quiet"
          className="Pager-next"
          icon="right"
          disabled={page >= pages}
          onClick={() => go(page + 1)}
        >
          {texts.next}
        </Button>
      </div>
    </nav>
  );
}
