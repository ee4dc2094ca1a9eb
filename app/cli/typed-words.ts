/**
 * The words as commander shall read them. The id of a key is 43 letters of base64url, and may begin with a hyphen like an option,
 * of which none is so long: such words go to the end, behind the mark after which nothing is an option.
 */
export function typedWords(words: readonly string[]): string[] {
  const ids = words.filter((word) => KEY_ID.test(word))
  return ids.length === 0 ? [...words] : [...words.filter((word) => !KEY_ID.test(word)), '--', ...ids]
}

const KEY_ID = /^-[\w-]{42}$/
