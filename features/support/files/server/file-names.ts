import { must } from '#foundation/must.ts'
const MOST_CHARACTERS = 200

/**
 * Returns a file's name as it may be shown and sent back; no file is ever looked up by it. Folders, control characters, and characters that
 * change the direction of writing are dropped: the attack is `invoice<RTL override>fdp.exe`, which reads as a PDF.
 */
export function cleanName(given: string): string {
  const clean = must(
    given
      .toWellFormed()
      // Browsers encode these three characters, and no others, in this way (HTML, multipart/form-data encoding).
      .replaceAll('%22', '"')
      .replaceAll(/%0[ad]/gi, ' ')
      .normalize('NFC')
      .replaceAll(/[\p{Zl}\p{Zp}\t\r\n]+/gu, ' ')
      .replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\uFFFD\u200B\uFEFF]/gu, '')
      .split(/[\\/]/)
      .at(-1),
  ).replaceAll(/^\s+|[\s.]+$/g, '')
  return shortened(clean) || 'file'
}

/** Cuts a long name before its extension, so that the extension still shows the type. */
function shortened(name: string): string {
  const letters = [...name]
  if (letters.length <= MOST_CHARACTERS) return name
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? ''
  return letters.slice(0, MOST_CHARACTERS - [...ending].length).join('') + ending
}

/**
 * Returns the header that makes a browser save a file under its name (RFC 6266): plain letters for old programs, the whole name in the form
 * of RFC 5987 for all others. Neither form can end the header or begin another.
 */
export function keepAs(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[^\w .()-]/g, '_')
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${must(letter.codePointAt(0)).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
