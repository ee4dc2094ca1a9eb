/**
 * Returns the words in the order in which commander reads them rightly. The id of a key is 43 letters of base64url and may begin with
 * a hyphen, like an option; no option is so long. Such ids are moved to the end, behind `--`, after which no word is an option.
 */
export function typedWords(words: readonly string[]): string[] {
  const ids = words.filter((word) => KEY_ID.test(word))
  return ids.length === 0 ? [...words] : [...words.filter((word) => !KEY_ID.test(word)), '--', ...ids]
}

const KEY_ID = /^-[\w-]{42}$/
