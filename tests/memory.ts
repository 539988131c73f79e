/** The size of the heap after garbage collection. */
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

export function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
