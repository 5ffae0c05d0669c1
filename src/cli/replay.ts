import { Command } from 'commander';
import type { Finish } from './commands.ts';

export const replayCommand = (finish: Finish): Command => new Command('replay').action(() => finish(70));
