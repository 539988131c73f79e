/**
 * One press of 'Credit User', asked once and told by the admin slice. A press of a credit whose answer never came repeats
 * that credit's key, so that it cannot be made twice.
 */
import { type CallError, isUncertain } from '#web/base/callError.ts';
import { selectAdmin } from '#web/base/session.ts';
import { stayOnPage } from '#web/base/stayOnPage.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { adminCalls } from '../adminCalls.ts';
import { adminSlice, creditAnswered, creditPressed } from '../adminSlice.ts';
import { type CreditBody, pressCredit, sameCredit } from './credit.ts';

/** Resolves when the slice knows how it ended. Does nothing while another press is under way. */
export function creditCustomer(body: CreditBody) {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const admin = selectAdmin(getState());
    const { asking, unknown } = adminSlice.selectors.credit(getState());
    if (!admin || asking) return;
    const isRepeat = sameCredit(unknown, body) !== undefined;
    const pressed = pressCredit(unknown, admin._id, body);
    const leave = stayOnPage();
    try {
      dispatch(creditPressed(pressed));
      const call = { body, idempotencyKey: pressed.key, onlyFor: admin._id };
      const asked = dispatch(adminCalls.endpoints.credit.initiate(call));
      const { data, error } = await asked;
      asked.reset();
      const outcome = data
        ? { credited: data.data, userAccountNumber: body.userAccountNumber, isUnknown: false as const }
        : { error: error as CallError, isUnknown: isUncertain(error as CallError, isRepeat) };
      const isPresent = selectAdmin(getState())?._id === admin._id;
      dispatch(creditAnswered({ key: pressed.key, outcome, isPresent }));
    } finally {
      leave();
    }
  };
}
