/** The recovery codes, shown once, with the ways to keep them. */

import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copyText.ts';
import * as texts from './factorTexts.ts';
import './RecoveryCodes.css';

export type RecoveryCodesProps = { codes: string[]; onSave: (name: string, text: string) => void };

export function RecoveryCodes({ codes, onSave }: RecoveryCodesProps) {
  const text = codes.join('\n');
  const head = fill(texts.fileHead, { bank: bank.name });
  return (
    <div className="RecoveryCodes">
      <p className="RecoveryCodes-head">{head}</p>
      <ol className="RecoveryCodes-list num">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="RecoveryCodes-ways">
        <Button
          kind="quiet"
          size="s"
          icon="copy"
          onClick={() => void copyText(text, { copied: texts.codesCopied, failed: texts.copyFailed })}
        >
          {texts.copyCodes}
        </Button>
        <Button
          kind="quiet"
          size="s"
          icon="download"
          onClick={() => onSave(texts.codesFile, `${head}\n\n${text}\n`)}
        >
          {texts.saveCodes}
        </Button>
        <Button kind="quiet" size="s" icon="document" onClick={() => window.print()}>
          {texts.printCodes}
        </Button>
      </div>
    </div>
  );
}
