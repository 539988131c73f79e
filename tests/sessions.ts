/** Who is logged in in tests of the browser's side: as browser storage keeps a customer and an administrator. */

/** A session token as the browser reads it, that runs out at a moment (seconds since 1970); `mark` tells two apart. */
export function tokenExpiringAt(seconds: number, mark = ''): string {
  const claims = btoa(JSON.stringify({ exp: seconds, mark }))
    .replaceAll('=', '')
    .replaceAll('/', '_');
  return `header.${claims}.signature`;
}

const farAway = 4_102_444_800;

export const wren = {
  _id: '1',
  firstName: 'Wren',
  lastName: 'Hale',
  email: 'wren@larkspur.example',
  avatar: { url: '' },
  accountNumber: '482109375527',
  isApproved: true,
  token: tokenExpiringAt(farAway, 'customer'),
};

export const ida = {
  _id: '7',
  email: 'desk@larkspur.example',
  name: 'Ida Moss',
  token: tokenExpiringAt(farAway, 'admin'),
};
