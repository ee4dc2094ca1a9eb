/** The options of a command by their name in camelCase. The value is the text that was typed behind the option, or true for a switch. */
export type Options = Record<string, string | boolean>

/** Names the words of which an option takes one, as "this, that or those". */
export const oneOf = (words: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)
