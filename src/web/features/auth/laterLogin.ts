/**
 * What the login page fetches when the visitor begins to fill in the form, instead of with the page: two thirds of its script.
 * The page itself needs only its fields and the keypad.
 */
import { lazy } from 'react';

const loadCodeStep = () => import('./CodeStep.tsx');
const loadResultDialog = () => import('#web/bank/ResultDialog.tsx');
export const loadSendLogin = () => import('./sendLogin.ts');

export const CodeStep = lazy(async () => ({ default: (await loadCodeStep()).CodeStep }));
export const ResultDialog = lazy(async () => ({ default: (await loadResultDialog()).ResultDialog }));

/** Starts fetching everything that follows the form. A failure shows when the part is needed. */
export function prepareLogin(): void {
  for (const load of [loadSendLogin, loadCodeStep, loadResultDialog]) load().catch(() => {});
}
