/** Calls of the area settings: what a customer changes about the account. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { ActiveSession, Picture } from './entities.ts';
import { givenPassword, id, newPassword, phoneNumber, requiredLine } from './fields.ts';
import { messages } from './messages.ts';

const image = { avatar: { required: true, missing: messages.register.avatar } } as const;

export const settingsApi = {
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/v1/user/settings/change-password',
    access: 'customer',
    whilePending: true,
    body: z.strictObject({ currentPassword: givenPassword, newPassword }),
    message: messages.settings.passwordUpdated,
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
      address: requiredLine(maxLength.address, messages.settings.emptyContact),
      region: requiredLine(maxLength.region, messages.settings.emptyContact),
      zipCode: requiredLine(maxLength.zipCode, messages.settings.emptyContact),
    }),
    message: messages.settings.contactUpdated,
    summary: 'Change phone number and address',
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/settings/delete-account',
    access: 'customer',
    notWhileFrozen: true,
    body: z.strictObject({ password: givenPassword }),
    message: messages.settings.accountDeleted,
    refusals: ['BAD_PASSWORD', 'CONFLICT'],
    summary: 'Close the account and erase the person; the books keep their entries',
  }),
  ownIdCard: endpoint({
    method: 'GET',
    path: '/api/v1/user/id-card',
    access: 'customer',
    whilePending: true,
    answer: 'picture',
    message: messages.settings.imageUploaded,
    refusals: ['NOT_FOUND'],
    summary: 'The ID document that this customer handed in',
  }),
  uploadAvatar: endpoint({
    method: 'POST',
    path: '/api/v1/user/upload/avatar',
    access: 'customer',
    quota: 'uploads',
    whilePending: true,
    notWhileFrozen: true,
    files: image,
    data: z.object({ avatar: Picture }),
    message: messages.settings.imageUploaded,
    refusals: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
    summary: 'Replace the profile image',
  }),
  uploadIdCard: endpoint({
    method: 'POST',
    path: '/api/v1/user/upload/id-card',
    access: 'customer',
    quota: 'uploads',
    whilePending: true,
    notWhileFrozen: true,
    files: image,
    data: z.object({ idCard: Picture }),
    message: messages.settings.imageUploaded,
    refusals: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
    summary: 'Hand in or replace the ID document',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/v1/user/sessions',
    access: 'customer',
    whilePending: true,
    data: z.object({ sessions: z.array(ActiveSession) }),
    message: messages.settings.sessions,
    summary: 'Where this customer is logged in, the newest first',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions/{id}',
    access: 'customer',
    whilePending: true,
    params: z.strictObject({ id }),
    message: messages.settings.sessionEnded,
    refusals: ['NOT_FOUND'],
    summary: 'End one of the own sessions',
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions',
    access: 'customer',
    whilePending: true,
    message: messages.settings.otherSessionsEnded,
    summary: 'End every session but this one',
  }),
};
