// A Leitweg-ID addresses invoices to a German authority (BT-10). It has a coarse part, an optional fine part and two check digits.
const form = /^(?:\d{2}|\d{3}|\d{5}|\d{8}|\d{9}|\d{12})(?:-[A-Z0-9]{1,30})?-\d{2}$/

/** True for a text that is meant as a Leitweg-ID: it begins with the number of the federation (99) or of a state (01 to 16). */
export const looksLikeLeitwegId = (text: string): boolean => /^(?:0[1-9]|1[0-6]|99)\d*-/.test(text)

/** True if the text has the form of a Leitweg-ID and its check digits are right (ISO 7064, mod 97-10). */
export function isLeitwegId(text: string): boolean {
  const upper = text.toUpperCase()
  if (!looksLikeLeitwegId(upper) || !form.test(upper)) return false
  const digits = upper.replaceAll('-', '').replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}
