import { describe, expect, it } from 'vitest'
import { bankAccountIn, epcText, isIban } from './epc.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

describe('the account in the words of the operator', () => {
  it.each([
    [
      'Hostdesk Demo, DE02 1203 0000 0000 2020 51, BYLADEM1001',
      'Hostdesk Demo',
      'DE02120300000000202051',
      'BYLADEM1001',
    ],
    [
      'Müller & Söhne GmbH\nIBAN: DE02120300000000202051\nBIC: BYLADEM1001',
      'Müller & Söhne GmbH',
      'DE02120300000000202051',
      'BYLADEM1001',
    ],
    ['HOSTDESK; BE72 0000 0000 1616; Belgian Post Bank', 'HOSTDESK', 'BE72000000001616', ''],
  ])('reads %j', (words, name, iban, bic) => {
    expect(bankAccountIn(words)).toEqual({ name, iban, bic })
  })

  it.each(['', 'Example Bank, account 4711', 'DE02120300000000202051', 'X, DE03 1203 0000 0000 2020 51'])(
    'finds none in %j',
    (words) => expect(bankAccountIn(words)).toBeUndefined(),
  )

  it('knows an IBAN by its check digits', () => {
    const known = [
      'GB82WEST12345698765432',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
      'CH9300762011623852957',
    ]
    expect(known.filter((iban) => !isIban(iban))).toEqual([])
    expect(known.filter((iban) => isIban(iban.replace(/.$/, (last) => (last === '1' ? '2' : '1'))))).toEqual(
      [],
    )
  })
})

describe('the text of the code', () => {
  const account = { name: 'Red Cross of Belgium', iban: 'BE72000000001616', bic: 'BPOTBEB1' }

  // The example of the guideline, with the reference in place of its remittance information.
  it('is laid out as EPC069-12, the guideline for QR codes of SEPA transfers, specifies', () => {
    expect(epcText(account, euros('100'), 'Urgency fund')?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'BPOTBEB1',
      'Red Cross of Belgium',
      'BE72000000001616',
      'EUR1.00',
      '',
      '',
      'Urgency fund',
    ])
  })

  it('fits the largest code that banks read, however long the name', () => {
    const longest = epcText({ ...account, name: '€'.repeat(100) }, euros('99999999999'), 'HD-ABCD-1234') ?? ''
    expect(longest).toContain('EUR999999999.99')
    expect(new TextEncoder().encode(longest).length).toBeLessThanOrEqual(331)
  })

  it('is not made for a currency other than the euro, for zero, or for an amount of 1,000,000,000 euros', () => {
    expect(epcText(account, { amount: '100', currency: 'CHF' }, 'x')).toBeUndefined()
    expect(epcText(account, euros('0'), 'x')).toBeUndefined()
    expect(epcText(account, euros('100000000000'), 'x')).toBeUndefined()
  })
})
