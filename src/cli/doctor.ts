import { Command } from 'commander';
import type { Finish } from './commands.ts';

export const doctorCommand = (finish: Finish): Command => new Command('doctor').action(() => finish(70));
