/** Calls of the settings area: changes to a customer's own data and sessions. */
import * as z from 'zod/mini';
import { calendarDay } from './bankTime.ts';
import { maxLength, terms } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { ActiveSession, OwnIdentity, Picture } from './entities.ts';
import { day, givenPassword, id, newPassword, phoneNumber, requiredLine, zipCodePattern } from './fields.ts';
import * as registerMessages from './messages/register.ts';
import * as settingsMessages from './messages/settings.ts';

/** A day at least 18 years ago by the bank's calendar. A future date is refused as invalid, not as too young. */
const dateOfBirth = day(settingsMessages.invalidDateOfBirth).check(
  z.refine(born => born <= calendarDay(new Date()), {
    error: settingsMessages.invalidDateOfBirth,
    abort: true,
  }),
  z.refine(born => {
    const today = calendarDay(new Date());
    return born <= `${Number(today.slice(0, 4)) - terms.minimumAge}${today.slice(4)}`;
  }, settingsMessages.tooYoung),
);

const upload = {
  method: 'POST',
  access: 'customer',
  quota: 'uploads',
  whilePending: true,
  notWhileFrozen: true,
  files: { avatar: { required: true, missing: registerMessages.avatar } },
  message: settingsMessages.imageUploaded,
  refusals: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
} as const;

export const settingsApi = {
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/v1/user/settings/change-password',
    access: 'customer',
    usesDeviceCookie: true,
    addressQuota: 'login',
    outsidePersonLimit: true,
    whilePending: true,
    body: z.strictObject({ currentPassword: givenPassword, newPassword }),
    message: settingsMessages.passwordUpdated,
    refusals: ['BAD_PASSWORD'],
    summary: 'Change the password; every other session ends',
  }),
  updateContact: endpoint({
    method: 'PUT',
    path: '/api/v1/user/settings/update-contact',
    access: 'customer',
    quota: 'changes',
    whilePending: true,
    notWhileFrozen: true,
    body: z.strictObject({
      phoneNumber,
      address: requiredLine(maxLength.address, settingsMessages.emptyContact),
      region: requiredLine(maxLength.region, settingsMessages.emptyContact),
      zipCode: requiredLine(maxLength.zipCode, settingsMessages.emptyContact).check(
        z.refine(text => text === '' || zipCodePattern.test(text), registerMessages.zipCode),
      ),
    }),
    message: settingsMessages.contactUpdated,
    refusals: ['CONFLICT'],
    summary: 'Change phone number and address',
  }),
  identity: endpoint({
    method: 'GET',
    path: '/api/v1/user/identity',
    access: 'customer',
    whilePending: true,
    data: OwnIdentity,
    message: 'Personal details',
    summary: 'The date of birth and the city of this customer, and why the bank asks for an ID document',
  }),
  updateIdentity: endpoint({
    method: 'PUT',
    path: '/api/v1/user/identity',
    access: 'customer',
    quota: 'changes',
    whilePending: true,
    notWhileFrozen: true,
    body: z.strictObject({ dateOfBirth, city: requiredLine(maxLength.city, 'Please enter your city') }),
    message: 'Personal details updated successfully',
    refusals: ['CONFLICT'],
    summary: 'Give or change date of birth and city; a verified date of birth stays',
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/settings/delete-account',
    access: 'customer',
    usesDeviceCookie: true,
    addressQuota: 'login',
    outsidePersonLimit: true,
    notWhileFrozen: true,
    body: z.strictObject({ password: givenPassword }),
    message: settingsMessages.accountDeleted,
    refusals: ['BAD_PASSWORD', 'CONFLICT'],
    summary: 'Close the account and erase the person; the books keep their entries',
  }),
  ownIdCard: endpoint({
    method: 'GET',
    path: '/api/v1/user/id-card',
    access: 'customer',
    whilePending: true,
    answer: 'picture',
    message: settingsMessages.imageUploaded,
    refusals: ['NOT_FOUND'],
    summary: 'The ID document that this customer uploaded',
  }),
  uploadAvatar: endpoint({
    ...upload,
    path: '/api/v1/user/upload/avatar',
    data: z.object({ avatar: Picture }),
    summary: 'Replace the profile image',
  }),
  uploadIdCard: endpoint({
    ...upload,
    path: '/api/v1/user/upload/id-card',
    data: z.object({ idCard: Picture }),
    summary: 'Upload or replace the ID document',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/v1/user/sessions',
    access: 'customer',
    whilePending: true,
    data: z.object({ sessions: z.array(ActiveSession) }),
    message: settingsMessages.sessions,
    summary: 'The sessions of this customer: first this one, then the newest',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions/{id}',
    access: 'customer',
    outsidePersonLimit: true,
    whilePending: true,
    params: z.strictObject({ id }),
    message: 'Session ended',
    refusals: ['NOT_FOUND'],
    summary: 'End one of the customer’s own sessions',
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions',
    access: 'customer',
    outsidePersonLimit: true,
    whilePending: true,
    message: 'All other sessions ended',
    summary: 'End every session but this one',
  }),
};
