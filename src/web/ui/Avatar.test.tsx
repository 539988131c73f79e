/** The initials of a person without a picture. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar } from './Avatar.tsx';

test.each([
  ['Inês', '(viola)', 'IV'],
  ['“Mo”', '& Sons', 'MS'],
  ['李', '', '李'],
  ['🏠', '', '🏠'],
])('the initials of %s %s are %s, without punctuation', (firstName, lastName, initials) => {
  const { container } = render(<Avatar firstName={firstName} lastName={lastName} decorative />);
  expect(container.textContent).toBe(initials);
});
