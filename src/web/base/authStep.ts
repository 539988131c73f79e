/**
 * Recognises the calls of the area auth as they pass through the store, so that the auth state follows them without
 * public pages carrying the machinery of calls.
 */
import type { UnknownAction } from '@reduxjs/toolkit';
import type { authApi } from '#contract/auth.ts';
import type { Customer } from '#contract/entities.ts';
import type { Answered, CallError } from './callError.ts';

type Call = keyof typeof authApi;
type Step<Payload> = UnknownAction & { meta: { arg: { endpointName: Call } }; payload: Payload };

const steps: readonly string[] = [
  'register',
  'initiateLogin',
  'verifyCode',
  'resendCode',
  'forgotPassword',
  'resetPassword',
] satisfies Call[];

function isStep(action: UnknownAction, type: string): boolean {
  const { meta } = action as { meta?: { arg?: { endpointName?: string } } };
  return action.type === `api/executeMutation/${type}` && steps.includes(meta?.arg?.endpointName ?? '');
}

export const authStep = {
  isPending: (action: UnknownAction): action is Step<undefined> => isStep(action, 'pending'),
  isRejected: (action: UnknownAction): action is Step<CallError | undefined> => isStep(action, 'rejected'),
  isFulfilled: (action: UnknownAction): action is Step<Answered> => isStep(action, 'fulfilled'),
  isProfile: (action: UnknownAction): action is Step<Customer> =>
    action.type === 'api/executeQuery/fulfilled' &&
    (action as { meta?: { arg?: { endpointName?: string } } }).meta?.arg?.endpointName ===
      ('profile' satisfies Call),
};
