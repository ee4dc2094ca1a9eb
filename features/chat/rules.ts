/** What may go with a message, and when a mail tells of it: read by the page and by the server alike. */

/** The largest file, in bytes: 20 MB as people count them. */
export const MOST_BYTES = 20 * 1024 * 1024

/** So much may one person have uploaded that no message names yet, in bytes. */
export const MOST_UNUSED_BYTES = 25 * MOST_BYTES

/** A file that no message names is kept so long. */
export const UNUSED_HOURS = 24

/** A reply of staff that its customer has not seen after so many seconds is mailed. */
export const MAIL_PAUSE_S = 120

const LINES = 6
const CHARACTERS = 500

/**
 * The first lines of a message as a mail may show them: without marks, and without anything written as code, for that
 * is how passwords and keys are passed on, and mails lie about for years.
 */
export function excerptOf(text: string): string {
  const lines = text
    .replaceAll(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '[…]')
    .replaceAll(/(`+)[^`]+\1/g, '[…]')
    .replaceAll(/\[([^\]\n]*)\]\(([^)\s]*)\)/g, (_, label: string) => label)
    .replaceAll(/(\*\*|__|~~)(?=\S)([^\n]*?\S)\1/g, '$2')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:>\s*|#{1,6}\s+)+/, '').trimEnd())
    .filter((line) => line !== '')
  const few = lines.slice(0, LINES).join('\n')
  const letters = [...few]
  const cut = letters.slice(0, CHARACTERS).join('')
  return lines.length > LINES || letters.length > CHARACTERS ? `${cut.trimEnd()} …` : cut
}
