/** Digits zero of scripts in which people type numbers; NFKC knows only the full-width ones. */
const ZEROS = [0x06_60, 0x06_f0, 0x07_c0, 0x09_66, 0x09_e6, 0x0a_66, 0x0b_e6, 0x0e_50, 0x0e_d0]

/**
 * Returns a key as it was given out (rule 55). Pasting adds blanks of every kind, line breaks and invisible characters, mail programs turn
 * hyphens into dashes, and some keyboards write full-width letters. Capitals and hyphens stay, because both are parts of keys.
 */
export const plainKey = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\p{Nd}/gu, plainDigit)

/** Returns a code without its hyphens too: they group its letters and digits for reading and are no part of it. */
export const plainCode = (typed: string): string => plainKey(typed).replaceAll(/[-._/]/g, '')

/** Returns a number that an authority or a bank gave out, such as a VAT id or an IBAN: it is written in capitals and in many groupings. */
export const plainNumber = (typed: string): string => plainCode(typed).toUpperCase()

function plainDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((first) => point >= first && point < first + 10)
  return zero === undefined ? digit : String(point - zero)
}
