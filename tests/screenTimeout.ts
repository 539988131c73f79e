/** Component tests wait longer than the default second: many processes share few cores. */
import { configure } from '@testing-library/dom';
import { waitLimitMs } from './waiting.ts';

configure({ asyncUtilTimeout: waitLimitMs });
