/** Saves the shown list as a CSV file. The bank applies the same filters and records the export in the audit log. */
import { useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { saveFile } from '#web/base/saveFile.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from '../words.ts';
import { readRefusalText } from './actRefusalText.ts';
import { useMay } from './useRole.ts';
import './ExportButton.css';

export type ExportButtonProps = {
  call: Endpoint;
  /** The current filters; empty ones are left out. */
  query: Readonly<Record<string, string>>;
  /** Given for lists whose export cannot be searched: with a search text, a hint replaces the button. */
  search?: string;
};

/** Shown to the roles that may make the call. */
export function ExportButton({ call, query, search }: ExportButtonProps) {
  const dispatch = useAppDispatch();
  const may = useMay();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  if (!may(call)) return null;
  if (search)
    return (
      <p className="ExportButton-hint screen-only">
        <span className="type-small">{words.clearToExport}</span>
      </p>
    );
  const save = async () => {
    setBusy(true);
    setProblem('');
    const error = await dispatch(saveFile(call, { query }, () => {}));
    setBusy(false);
    if (error) setProblem(readRefusalText(error));
  };
  return (
    <>
      <Button
        kind="quiet"
        icon="download"
        busy={busy}
        busyLabel={words.exporting}
        onClick={() => void save()}
      >
        {words.exportCsv}
      </Button>
      {problem && (
        <Banner kind="error" title={words.exportFailed}>
          {problem}
        </Banner>
      )}
    </>
  );
}
