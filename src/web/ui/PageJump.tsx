/** The way to a page far away: its number is typed and Enter or the button goes there; what is behind the last leads to the last. */
import { type FormEvent, useState } from 'react';
import { Button } from './Button.tsx';
import { TextField } from './TextField.tsx';

export type PageJumpTexts = {
  /** 'Go to page', the field's name. */
  goTo: string;
  /** 'Page', in the empty field. */
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
