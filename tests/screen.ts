/** Screens of tests are waited for longer than a second: many processes share few cores. */
import { configure } from '@testing-library/dom';
import { waitLimitMs } from './waiting.ts';

configure({ asyncUtilTimeout: waitLimitMs });
