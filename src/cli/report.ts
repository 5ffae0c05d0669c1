import { Command } from 'commander';
import type { Finish } from './commands.ts';

export const reportCommand = (finish: Finish): Command => new Command('report').action(() => finish(70));
