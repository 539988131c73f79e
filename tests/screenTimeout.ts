/** Gives Testing Library's waits more than the default second: five processes share two cores. */
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 10_000 });
