import { Command } from 'commander';
import type { Finish } from './commands.ts';

export const initCommand = (finish: Finish): Command => new Command('init').action(() => finish(70));
