import type { SavedDetails } from '#features/finance/method-events.ts'

/** The methods that the page of the test provider saves, by the way in which their charges end. */
export const testMethods = {
  pays: { kind: 'card', brand: 'Visa', last4: '4242' },
  declines: { kind: 'card', brand: 'Visa', last4: '0002' },
  lost: { kind: 'card', brand: 'Mastercard', last4: '9987' },
  asks: { kind: 'card', brand: 'Mastercard', last4: '3155' },
  debit: { kind: 'sepa_debit', brand: '', last4: '3000' },
  paypal: { kind: 'paypal', brand: '', last4: '' },
} as const satisfies Record<string, Pick<SavedDetails, 'kind' | 'brand' | 'last4'>>
export type TestMethod = keyof typeof testMethods

const names = Object.keys(testMethods)

/** True for `pays`, and for `pays 2031-04` with the last month of a card. */
export const isTestMethod = (text: string): boolean => {
  const [name = '', month] = text.split(' ')
  return names.includes(name) && (month === undefined || /^20\d\d-(0[1-9]|1[0-2])$/.test(month))
}

/** Returns the details of a method that was saved under a public id. */
export function detailsOf(text: string, id: string, fingerprint = ''): SavedDetails {
  const [name = '', month = '2034-12'] = text.split(' ')
  const { kind, brand, last4 } = testMethods[isNamed(name) ? name : 'pays']
  const [year = 0, ofYear = 0] = month.split('-').map(Number)
  return {
    kind,
    brand,
    last4,
    provider_ref: `test-${name}-${id}`,
    customer_ref: 'test-customer',
    fingerprint,
    expires: kind === 'card' ? new Date(Date.UTC(year, ofYear, 0)).toISOString().slice(0, 10) : null,
    mandate_ref: kind === 'sepa_debit' ? `TEST-${id.slice(0, 8).toUpperCase()}` : null,
  }
}

/** Returns the way in which charges of a saved method end, by its reference. */
export function wayOf(provider_ref: string): TestMethod {
  const [, name = ''] = provider_ref.split('-')
  return isNamed(name) ? name : 'pays'
}

const isNamed = (name: string): name is TestMethod => names.includes(name)
