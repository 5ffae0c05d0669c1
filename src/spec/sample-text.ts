/** Exactly so many characters, as words of a name would be. White space never ends it: some banks trim that. */
export function textOfLength(length: number, alphabet: 'ascii' | 'norwegian'): string {
  const pattern = alphabet === 'ascii' ? 'Nordic Trading Company ' : 'Bjørnstjerne Ærlig Ås ';
  const text = [...pattern.repeat(Math.ceil(length / pattern.length) + 1)].slice(0, length);
  if (text.at(-1) === ' ') text[text.length - 1] = 'e';
  return text.join('');
}
