/** What a shell takes as it stands. */
const plainWord = String.raw`[\w@%+=:,./-]+`;

/** One word of a command that people copy. Single quotes keep everything but themselves. */
export const shellWord = (text: string): string =>
  new RegExp(`^${plainWord}$`).test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Words of ours: plain, in single quotes, or the variable that stands for a secret; pseudonyms have brackets. */
const ourWord = String.raw`(?:[\w@%+=:,./#[\]-]+|(?:'[^'\p{Cc}]*'|\\')+|"\$\w+")`;
const ourCommand = new RegExp(`^(?:npx )?xs2a-conformance(?: ${ourWord})*$`, 'u');
const longestCommand = 8_192;

/** Whether a command calls this tool and nothing else: what stands in a run folder may come from anybody. */
export const callsThisTool = (command: string): boolean =>
  command.length <= longestCommand && ourCommand.test(command);
