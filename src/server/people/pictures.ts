/** Where a person's pictures are found: a profile image by its unguessable name, an ID document only through a session. */

type Picture = { url: string };

/** The profile image; an empty address where there is none any more. */
export function avatarAt(file: string | null): Picture {
  return { url: file === null ? '' : `/files/avatars/${file}` };
}

/** A customer's own ID document, as that customer asks for it; null where there is none. */
export function ownIdCardAt<File extends string | null>(file: File): File extends null ? null : Picture;
export function ownIdCardAt(file: string | null): Picture | null {
  return file === null ? null : { url: '/api/v1/user/id-card' };
}

/** A customer's ID document, as an administrator asks for it. */
export function idCardOf(customerId: string, file: string | null): Picture | null {
  return file === null ? null : { url: `/api/v1/admin/users/${customerId}/id-card` };
}
