/** What a form that adds something says after a failed press. All its presses have the same idempotency key. */
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';

type AdditionTexts = {
  /** The result is not known, so it may have been added. */
  unknown: string;
  /** The form was changed after a press that the bank has received: the list shows what became of it. */
  mismatch: string;
  fallback: string;
};

export function additionError(error: unknown, texts: AdditionTexts): string {
  if ((error as CallError).code === 'IDEMPOTENCY_MISMATCH') return texts.mismatch;
  return isUncertain(error as CallError) ? texts.unknown : errorMessage(error, texts.fallback);
}
