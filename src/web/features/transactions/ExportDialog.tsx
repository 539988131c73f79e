/** Saves all transactions that match the filters as a file. It says which programs each format is for. */
import { type SubmitEvent, useId, useState } from 'react';
import { calendarDay, nameOfDays } from '#contract/bankTime.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { type exportFormats, transactionsApi } from '#contract/transactions.ts';
import type { Filters } from '#web/bank/transactionFilters.ts';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { exportWords as words } from './words.ts';
import './ExportDialog.css';

type Format = (typeof exportFormats)[number];

const formats = Object.entries(words.formats) as [Format, { name: string; for: string }][];

export type ExportDialogProps = { open: boolean; onClose: () => void; filters: Filters; filtered: boolean };

export function ExportDialog({ open, onClose, filters, filtered }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>('csv');
  const { save, bytes, failed } = useSaveFile(words.failedText);
  const formId = useId();
  const start = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = { format, ...filters };
    if (!(await save(transactionsApi.exportTransactions, { query }))) onClose();
  };
  const { startDate, endDate } = filters;
  const days = startDate && nameOfDays(startDate, endDate || calendarDay(new Date()));
  const kilobytes = Math.ceil((bytes ?? 0) / 1024);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible={bytes === undefined}
      size="m"
      title={words.title}
      description={
        <Ranges>{days ? fill(words.filteredDays, { days }) : filtered ? words.filtered : words.all}</Ranges>
      }
      actions={
        <>
          <Button kind="quiet" disabled={bytes !== undefined} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button
            type="submit"
            form={formId}
            icon="download"
            busy={bytes !== undefined}
            busyLabel={fill(words.saving, { size: kilobytes })}
          >
            {transactionsMessages.exported}
          </Button>
        </>
      }
    >
      {failed && (
        <Banner kind="error" title={words.failed}>
          {failed}
        </Banner>
      )}
      <form id={formId} method="dialog" onSubmit={event => void start(event)}>
        <fieldset className="ExportDialog-formats" disabled={bytes !== undefined}>
          <legend className="sr-only">{words.format}</legend>
          {formats.map(([value, { name, for: wantedBy }]) => (
            <label key={value}>
              <input
                type="radio"
                name="format"
                value={value}
                checked={format === value}
                onChange={() => setFormat(value)}
              />
              <span>
                <b>{name}</b>
                <span>{wantedBy}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
