/** Refusals and errors that calls of every area have in common. */
export const validation = 'Please check what you entered and try again.';
export const unknownField = 'Unknown field: {field}';
export const notJson = 'The request is not valid JSON.';
export const text = 'Please use plain text';
export const required = 'Please fill in all fields';
export const tooLong = 'Please use at most {max} characters';
export const notAuthorized = 'Not authorized';
export const tokenExpired = 'Token expired';
export const accountPending = 'Your account is waiting for approval. This usually takes 24-48 hours.';
export const accountFrozen = 'Your account is frozen. Please contact customer service.';
export const forbidden = 'You don’t have access to this.';
export const notFound = 'We couldn’t find this.';
export const conflict = 'This was changed in the meantime. Please check it and try again.';
export const idempotencyKey = 'Please use {min} to {max} printable characters';
export const idempotencyMismatch =
  'This idempotency key was already used for another request. Nothing was sent.';
export const tooLarge = 'This file is too large. Images can be up to 10 MB.';
export const unsupportedType = 'Please use a JPEG, PNG or WebP image.';
export const imageBroken = 'We can’t read this picture. It may be damaged. Please choose another one.';
export const imageTooSmall = 'This picture is too small. Each side needs at least 32 pixels.';
export const imageTooDetailed = 'This picture has too many pixels. It can have up to 25 megapixels.';
export const tooMany = 'Too many attempts. Please try again later.';
export const busy = 'The bank is busy right now. Please try again in a moment.';
export const fault = 'Something went wrong on our side. Please try again.';
export const actUndone = 'We didn’t get an answer, and nothing has changed so far. Try again.';
export const actUnknown =
  'We didn’t get an answer, so we don’t know whether this worked. Wait a moment. If this screen doesn’t show that it did, try again.';
export const network = 'Network error. Please check your connection and try again.';
