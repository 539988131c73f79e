/** The OpenAPI document equals the reviewed copy, `tests/openapi.json`. */
import { assert, expect, test } from 'vitest';
import { findDifference, readCopy, renderDocument } from '#scripts/openapi.ts';

test('the API equals the reviewed one: every endpoint with its path, access, guards, fields, responses and refusals [AC-11, C-02, C-03, C-04, C-05, E-03 to E-10, E-17 to E-22, RO-04]', () => {
  const difference = findDifference(readCopy(), renderDocument());
  assert(difference === '', difference);
});

test('a changed document is shown as a diff by endpoint, with the command that accepts it', () => {
  const current = renderDocument();
  expect(findDifference(current, current)).toBe('');
  const reviewed = current
    .replace('"operationId": "sendInternal"', '"operationId": "send"')
    .replace('"security": [ { "admin": [] } ]', '"security": []');
  const lines = findDifference(reviewed, current).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^@ POST \/api\/v1\/user\/transfer$/),
      expect.stringMatching(/^- +"operationId": "send",$/),
      expect.stringMatching(/^\+ +"operationId": "sendInternal",$/),
      expect.stringMatching(/^@ [A-Z]+ \/api\/v1\/admin\/\S+$/),
      expect.stringMatching(/^- +"security": \[\],$/),
      expect.stringMatching(/^\+ +"security": \[ \{ "admin": \[\] \} \],$/),
    ]),
  );
  expect(lines.at(-1)).toContain('npm run openapi -- --update');
});
