/** URLs of a person's pictures: the profile image by its unguessable name, the ID document only with a session. */

type Picture = { url: string };

/** The profile image; an empty URL if there is none. */
export function avatarAt(file: string | null): Picture {
  return { url: file === null ? '' : `/files/avatars/${file}` };
}

/** The URL for customers to view their own ID document; null if there is none. */
export function ownIdCardAt<File extends string | null>(file: File): File extends null ? null : Picture;
export function ownIdCardAt(file: string | null): Picture | null {
  return file === null ? null : { url: '/api/v1/user/id-card' };
}

/** The URL for administrators to view a customer's ID document; null if there is none. */
export function idCardOf(customerId: string, file: string | null): Picture | null {
  return file === null ? null : { url: `/api/v1/admin/users/${customerId}/id-card` };
}
