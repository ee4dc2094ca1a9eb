/** The states of a payout. `requested`: the money has left the balance and is on its way. `failed` and `returned`: it is on the balance again. */
export const payoutStates = ['requested', 'sent', 'failed', 'returned'] as const
export type PayoutState = (typeof payoutStates)[number]

/** `source`: to the card or account that paid, by its provider; `bank`: to a bank account. */
export const payoutWays = ['source', 'bank'] as const
export type PayoutWay = (typeof payoutWays)[number]

/** The most payouts of one customer under way at once: each is work of a person. */
export const MOST_UNDER_WAY = 5

/** The days after which a bank account is erased that no payout under way needs. */
export const ACCOUNT_KEPT_DAYS = 30

/**
 * The countries whose accounts SEPA transfers reach, with the length of their IBANs. Source: EPC409-09, list of SEPA scheme countries,
 * version 6.0 of May 2025, and the IBAN registry of SWIFT (ISO 13616), release 99 of December 2024.
 */
const sepaIbans: Readonly<Record<string, number>> = {
  AD: 24, AL: 28, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27, GB: 22, GI: 23,
  GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MD: 24, ME: 22, MK: 19, MT: 31, NL: 18,
  NO: 15, PL: 28, PT: 25, RO: 24, RS: 22, SE: 24, SI: 19, SK: 24, SM: 27, VA: 22,
} // prettier-ignore

/** True for an IBAN of a country that SEPA transfers reach, by country and length. */
export const isSepaIban = (iban: string): boolean => sepaIbans[iban.slice(0, 2)] === iban.length

/** The letters that have no accent to drop, and how banks write them. */
const letters: Readonly<Record<string, string>> = {
  Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ẞ: 'SS', Æ: 'Ae', æ: 'ae', Œ: 'Oe', œ: 'oe', Ø: 'O', ø: 'o',
  Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Þ: 'Th', þ: 'th', Ð: 'D', ð: 'd', ı: 'i', '&': '+', '’': "'", '–': '-', '‑': '-', _: '-'
} // prettier-ignore

/**
 * Returns a text in the letters that every bank of SEPA takes (EPC217-08: Latin without accents); undefined if it has others, such as Cyrillic,
 * or a slash where none may be.
 */
export function sepaText(text: string): string | undefined {
  const plain = [...text.normalize('NFC')].map((letter) => letters[letter] ?? letter).join('')
  const bare = plain.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim()
  return /^[A-Za-z0-9/?:().,'+ -]{1,70}$/.test(bare) && !/^\/|\/\/|\/$/.test(bare) ? bare : undefined
}
