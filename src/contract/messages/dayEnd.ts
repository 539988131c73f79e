/** Texts of the day-end view. */
export const dayEnd = 'Day end';
export const proof = 'Proof of the books';
export const running = 'A proof is already running. Wait until it has finished.';
export const noSuchProof = 'This proof does not exist.';
