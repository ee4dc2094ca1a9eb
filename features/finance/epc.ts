import { plainNumber } from '#foundation/typed-code.ts'
import { decimalText, type Money } from '#foundation/money.ts'

/** The payee of transfers, read from the operator's own words: 'Example GmbH, DE02 1203 0000 0000 2020 51, BYLADEM1001'. */
type BankAccount = { name: string; iban: string; bic: string }

/** Returns the account in the operator's text; undefined if the text holds no IBAN or no name: then no QR code is made. */
export function bankAccountIn(words: string): BankAccount | undefined {
  const parts = words
    .split(/[,;\n]/)
    .map((part) => part.trim().replace(/^(?:IBAN|BIC|SWIFT)\b[\s:]*/i, ''))
    .filter((part) => part !== '')
  const iban = parts.map(plainNumber).find(isIban)
  if (iban === undefined) return undefined
  const others = parts.filter((part) => plainNumber(part) !== iban)
  const [name = ''] = others
  // A name may look like a BIC, so the first part never counts as one.
  const bic =
    others
      .slice(1)
      .map(plainNumber)
      .find((part) => /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(part)) ?? ''
  return name === '' ? undefined : { name, iban, bic }
}

/** True for an IBAN, by form and check digits (ISO 13616, ISO 7064 MOD 97-10). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = [...(text.slice(4) + text.slice(0, 4))]
    .map((char) => String(Number.parseInt(char, 36)))
    .join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number.parseInt(digit, 10)) % 97, 0) === 1
}

const LONGEST_NAME = 70
const MOST = 99_999_999_999n

/**
 * Returns the text of an EPC QR code (EPC069-12, version 2, UTF-8), from which banking apps fill in a transfer: account, amount and
 * reference. Undefined for a currency other than the euro, and for an amount that no transfer allows.
 */
export function epcText(account: BankAccount, amount: Money, reference: string): string | undefined {
  const isTransfer = amount.currency === 'EUR' && BigInt(amount.amount) > 0n && BigInt(amount.amount) <= MOST
  if (!isTransfer) return undefined
  const name = [...account.name].slice(0, LONGEST_NAME).join('')
  const head = ['BCD', '002', '1', 'SCT', account.bic, name, account.iban, `EUR${decimalText(amount)}`]
  // The amount is followed by purpose and structured reference, both empty here, and by the reference as free text.
  return [...head, '', '', reference].join('\n')
}
