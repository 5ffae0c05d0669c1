import { loadTarget, type TargetOverrides } from '../target/load-target.ts';
import { targetVariable } from '../target/settings.ts';
import type { Target } from '../target/target.ts';

/** A target that is ready to be talked to. */
export interface OpenTarget {
  readonly target: Target;
  /** The target file, where there is one. */
  readonly file?: string;
  /** Whether it is the reference bank, inside this process. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Loads the target that was named, by a file, a variable or an address; without any, the reference bank is started. */
export async function openTarget(named: string | undefined, overrides: TargetOverrides): Promise<OpenTarget> {
  const file = named ?? (process.env[targetVariable] || undefined);
  const address = overrides.baseUrl ?? process.env.XS2A_BASE_URL;
  if (file === undefined && !address) return openEmbedded(overrides);
  return {
    target: await loadTarget(file, overrides),
    ...(file === undefined ? {} : { file }),
    embedded: false,
    close: async () => {},
  };
}

async function openEmbedded(overrides: TargetOverrides): Promise<OpenTarget> {
  // Loaded only here: whoever has a bank needs none of ours.
  const { startEmbeddedBank } = await import('./embedded-bank.ts');
  const bank = await startEmbeddedBank();
  return {
    target: await loadTarget({ text: bank.targetText }, overrides),
    embedded: true,
    close: () => bank.close(),
  };
}
