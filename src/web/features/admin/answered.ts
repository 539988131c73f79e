/**
 * Calls the panel has screens for and the server does not answer yet. What is `false` here cannot be reached from the
 * panel; setting it to `true` opens it.
 */
export const answered: { deleteUser: boolean; idCardPicture: boolean } = {
  deleteUser: false,
  /** `GET /api/v1/admin/users/{id}/id-card`: 'View ID', and with it the view ID Verifications. */
  idCardPicture: true,
};
