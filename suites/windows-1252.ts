/**
 * What stands for the bytes from 80 to 9F, those that stand for nothing as they are. Written out, since TextDecoder takes
 * this encoding for ISO 8859-1 in some versions of Node.
 */
const beyondLatin1 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f', ...'\u0090‘’“”•–—˜™š›œ\u009džŸ'];

/** The letter of a byte in windows-1252. */
export const letterIn1252 = (byte: number): string => beyondLatin1[byte - 0x80] ?? String.fromCharCode(byte);
