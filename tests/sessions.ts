/** A logged-in customer and a logged-in administrator for tests of the web app, as they are in browser storage. */

/**
 * Returns an unsigned session token that expires at `seconds` (Unix time). Tokens with different `mark`s belong to different
 * sessions.
 */
export function tokenExpiringAt(seconds: number, mark = ''): string {
  const claims = btoa(JSON.stringify({ exp: seconds, sid: mark }))
    .replaceAll('=', '')
    .replaceAll('/', '_');
  return `header.${claims}.signature`;
}

const inYear2100 = 4_102_444_800;

export const wren = {
  _id: '1',
  firstName: 'Wren',
  lastName: 'Hale',
  email: 'wren@larkspur.example',
  avatar: { url: '' },
  accountNumber: '482109375527',
  isApproved: true,
  token: tokenExpiringAt(inYear2100, 'customer'),
};

export const ida = {
  _id: '7',
  email: 'desk@larkspur.example',
  name: 'Ida Moss',
  token: tokenExpiringAt(inYear2100, 'admin'),
};
