import { knownDigits } from '#foundation/currencies.ts'
import { all, textAt, type Element } from './xml-tree.ts'

/** True if the money left the account; undefined if the bank does not say in which direction it went. */
export function isDebit(element: Element): boolean | undefined {
  const indicator = textAt(element, ['CdtDbtInd'])
  return indicator === 'DBIT' ? true : indicator === 'CRDT' ? false : undefined
}

export const signed = (amount: bigint, left: boolean) => (left ? -amount : amount)

/** Returns the amount at the first of these paths that the element has; undefined if none has one, or it is no amount of its currency. */
export function amountOf(
  element: Element,
  ...paths: (string | string[])[]
): { amount: bigint; currency: string } | undefined {
  for (const path of paths) {
    const found = all(element, ...[path].flat())[0]
    if (!found) continue
    const currency = found.attributes['Ccy'] ?? ''
    const [, whole, part = ''] = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(found.text.trim()) ?? []
    const digits = knownDigits(currency)
    if (whole === undefined || digits === undefined) return undefined
    if (/[1-9]/.test(part.slice(digits))) return undefined
    return { amount: BigInt(whole + part.slice(0, digits).padEnd(digits, '0')), currency }
  }
  return undefined
}
