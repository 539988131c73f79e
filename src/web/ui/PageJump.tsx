/** A field to go to a page by its number, with Enter or the button. A number past the last page goes to the last page. */
import { type FormEvent, useState } from 'react';
import { Button } from './Button.tsx';
import { TextField } from './TextField.tsx';

export type PageJumpTexts = {
  /** 'Go to page', the field's label. */
  goTo: string;
  /** 'Page', the field's placeholder. */
  page: string;
  /** 'Go', on the button. */
  go: string;
};

export type PageJumpProps = { pages: number; onPage: (page: number) => void; texts: PageJumpTexts };

export function PageJump({ pages, onPage, texts }: PageJumpProps) {
  const [typed, setTyped] = useState('');
  const wanted = Number(typed);
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (wanted < 1) return;
    setTyped('');
    onPage(Math.min(wanted, pages));
  };
  return (
    <form className="Pager-jump" onSubmit={go}>
      <TextField
        label={texts.goTo}
        hideLabel
        figures
        placeholder={texts.page}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        value={typed}
        onChange={text => setTyped(text.replace(/\D/g, '').slice(0, 7))}
      />
      <Button kind="quiet" type="submit" disabled={wanted < 1}>
        {texts.go}
      </Button>
    </form>
  );
}
