/**
 * Returns a text as one line for a terminal. Customers, helpers and staff write names and subjects; the attack is an escape sequence in
 * one, which would clear the screen, set its title or type keys.
 */
export const plainText = (text: string): string =>
  text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')

/** Returns JSON in which no character drives a terminal. JSON escapes the characters below a space by itself. */
export const plainJson = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const marks = /\p{M}/u
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** Returns the number of columns that a text takes on a terminal. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (marks.test(character) ? 0 : wide.test(character) ? 2 : 1), 0)

/** Returns a text that is at most so wide, with an ellipsis where something was cut off. */
export function cut(text: string, most: number): string {
  if (widthOf(text) <= most) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > most - 1) break
    kept += character
  }
  return `${kept}…`
}
