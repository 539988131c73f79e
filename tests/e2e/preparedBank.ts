/**
 * Prepares a data directory once for all journeys: a started and stopped bank without demo data. The bank of each file starts
 * with a copy, because creating a database takes as much processor time as the rest of a start. Banks with demo data start
 * without a copy.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBank } from './bank.ts';

// Playwright uses the default export.
export default async function prepareBank(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-prepared-'));
  const dataDir = join(folder, 'data');
  await (await startBank({ DATA_DIR: dataDir })).stop();
  // The workers that run the journeys inherit this variable.
  process.env.PREPARED_BANK = dataDir;
  return () => rmSync(folder, { recursive: true, force: true });
}
