/** Screens of tests are waited for longer than a second: five processes share two cores. */
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 10_000 });
