import { ScaWalkError, type ScaWalker } from './sca-walker.ts';

/** SCA was passed before the run, and cannot be passed again. */
export const sessionWalker: ScaWalker = {
  async pass() {
    throw new ScaWalkError(
      'cannot-walk',
      'With psu.sca: session SCA cannot be passed anew. Set psu.sca to form, manual or module in the target file.',
    );
  },
  async abort() {
    return undefined;
  },
};
