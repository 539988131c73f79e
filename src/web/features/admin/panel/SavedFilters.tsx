/** The saved filters of one view, each with a button that removes it, and a button that saves the current filters. */
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { maxLength } from '#contract/constants.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { words } from '../words.ts';
import { filterOf, maxSaved, useSavedFilters, viewOf } from './savedFilters.ts';
import { viewTitleId } from './ViewHead.tsx';
import './SavedFilters.css';

export function SavedFilters({ view }: { view: string }) {
  const [address] = useSearchParams();
  const { saved, save, remove } = useSavedFilters();
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLDivElement>(null);
  /** Gets the focus after saving, because the button that opened the dialog is gone then. */
  const currentLink = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (naming) setName('');
  }, [naming]);
  const current = filterOf(address);
  const ofView = saved.filter(filter => viewOf(filter) === view);
  const canSave =
    current !== undefined && ofView.length < maxSaved && !ofView.some(({ search }) => search === current);
  if (ofView.length === 0 && !canSave) return null;
  const confirm = () => {
    if (current === undefined || name.trim() === '') return field.current?.focus();
    save({ name: name.trim(), search: current });
    setNaming(false);
  };
  return (
    <div ref={place} className="SavedFilters screen-only">
      {ofView.length > 0 && (
        <ul aria-label={words.savedFilters}>
          {ofView.map(filter => (
            <li key={filter.name} className="SavedFilters-one">
              <Link
                ref={filter.search === current ? currentLink : undefined}
                to={{ search: filter.search }}
                aria-current={filter.search === current ? 'true' : undefined}
                preventScrollReset
              >
                {filter.name}
              </Link>
              <IconButton
                icon="close"
                label={words.removeFilter(filter.name)}
                onClick={() => {
                  flushSync(() => remove(filter));
                  // The pressed button is gone, so move the focus to the first control that is left.
                  const next = place.current?.querySelector<HTMLElement>('a, button');
                  (next ?? document.getElementById(viewTitleId))?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {canSave && (
        <Button kind="text" size="s" icon="plus" onClick={() => setNaming(true)}>
          {words.saveFilters}
        </Button>
      )}
      <FormDialog
        open={naming}
        onClose={() => setNaming(false)}
        finalFocus={currentLink}
        title={words.saveFilters}
        description={words.saveFiltersText}
        submitLabel={words.saveFilter}
        onSubmit={confirm}
      >
        <TextField
          ref={field}
          label={words.filterName}
          autoComplete="off"
          maxLength={maxLength.nickname}
          value={name}
          onChange={setName}
        />
      </FormDialog>
    </div>
  );
}
