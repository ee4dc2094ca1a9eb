/**
 * Returns the words so that no id is taken for an option. An id has 22 letters of base64url, and one of 64 begins with a hyphen. Such a word
 * gets a character in front that can be in no word of a command line; `plainWord` takes it away. An option is of small letters.
 */
export const typedWords = (words: readonly string[]): string[] =>
  words.map((word) => (ID.test(word) && !OPTION.test(word) ? `\0${word}` : word))

/** Returns a word as it was typed. */
export const plainWord = (word: string): string => word.replace(/^\0/, '')

const ID = /^-[\w-]{21}$/
const OPTION = /^--[a-z]+(?:-[a-z]+)*$/
