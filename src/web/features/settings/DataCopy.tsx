/** Copies of everything that the bank holds about the customer: requesting a copy, its progress, and saving it. */
import { useEffect, useState } from 'react';
import { calendarDay, dayAndTime, nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { type ExportJob, recordsApi } from '#contract/records.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { useExportJobsQuery, useRequestExportMutation } from '#web/features/transactions/recordsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './DataCopy.css';

const texts = words.dataCopy;
const pollMs = 2_000;

export function DataCopy() {
  const [isPolling, setPolling] = useState(false);
  const options = { pollingInterval: isPolling ? pollMs : 0, skipPollingIfUnfocused: true };
  const { data: copies, isError, refetch } = useExportJobsQuery(undefined, options);
  const [request, { isLoading, error, reset }] = useRequestExportMutation();
  const { save, bytes, failed } = useSaveFile(texts.failedText);
  const [savedId, setSavedId] = useState('');
  const isMaking = copies?.some(({ isReady }) => !isReady) ?? false;
  if (isMaking !== isPolling) setPolling(isMaking);
  const known = copies?.map(({ _id }) => _id).join();
  // If the list has changed since the error, only the answer was lost, and the list shows the copy.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error stays until the list changes
  useEffect(() => {
    if (error) reset();
  }, [known, isMaking]);
  const saveCopy = (id: string) => {
    setSavedId(id);
    void save(recordsApi.exportFile, { params: { id } });
  };
  return (
    <>
      {(failed || error) && (
        <Banner className="DataCopy-failed" kind="error" title={failed ? texts.failed : texts.notRequested}>
          {failed || errorMessage(error, texts.failedText)}
        </Banner>
      )}
      <p className="DataCopy-about">{texts.about}</p>
      {!copies && isError && <LoadFailed title={texts.notLoaded} onRetry={refetch} />}
      {!copies && !isError && <Skeleton kind="rows" count={1} label={texts.loading} />}
      {copies && copies.length > 0 && (
        <ul className="DataCopy-list" aria-label={texts.list}>
          {copies.map(copy => (
            <li key={copy._id} className="DataCopy-item">
              {copy.isReady ? (
                <ReadyCopy
                  copy={copy}
                  bytes={copy._id === savedId ? bytes : undefined}
                  onSave={() => saveCopy(copy._id)}
                />
              ) : (
                <div>
                  <Progress label={texts.making} value={copy.progress} />
                  <p className="type-note">{texts.makingNote}</p>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {copies && (
        <Button
          kind="quiet"
          icon="document"
          // The button stays while a copy is made, because it has the focus.
          busy={isLoading || isMaking}
          busyLabel={isMaking ? texts.making : texts.requesting}
          onClick={() => void request()}
        >
          {texts.request}
        </Button>
      )}
    </>
  );
}

type ReadyCopyProps = { copy: ExportJob; bytes: number | undefined; onSave: () => void };

function ReadyCopy({ copy: { createdAt, size = 0, expiresAt = '' }, bytes, onSave }: ReadyCopyProps) {
  const made = dayAndTime(createdAt);
  return (
    <>
      <div>
        <p>
          <b>{made}</b>
        </p>
        <p className="type-note">
          {fill(texts.facts, { size: sizeOf(size), day: nameOfDay(calendarDay(new Date(expiresAt))) })}
        </p>
      </div>
      <Button
        kind="quiet"
        size="s"
        icon="download"
        busy={bytes !== undefined}
        busyLabel={fill(texts.saving, { size: sizeOf(bytes ?? 0) })}
        aria-label={fill(texts.saveNamed, { made })}
        onClick={onSave}
      >
        {texts.save}
      </Button>
    </>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
