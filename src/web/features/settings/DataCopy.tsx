/** Saves a copy of everything that the bank holds about the customer. */
import { fill } from '#contract/messages/fill.ts';
import { recordsApi } from '#contract/records.ts';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';
import './DataCopy.css';

const texts = words.dataCopy;

export function DataCopy() {
  const { save, bytes, failed } = useSaveFile(texts.failedText);
  return (
    <>
      {failed && (
        <Banner kind="error" title={texts.failed}>
          {failed}
        </Banner>
      )}
      <p className="DataCopy-about">{texts.about}</p>
      <Button
        kind="quiet"
        icon="download"
        busy={bytes !== undefined}
        busyLabel={fill(texts.saving, { size: Math.ceil((bytes ?? 0) / 1024) })}
        onClick={() => void save(recordsApi.everything)}
      >
        {texts.save}
      </Button>
    </>
  );
}
