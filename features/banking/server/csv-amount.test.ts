import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountIn } from './csv-amount.ts'
import { dayIn, isInOtherOrder } from './csv-day.ts'

const euros = (cell: string, decimal: ',' | '.' = ',') => amountIn(cell, { decimal, digits: 2, own: 'EUR' })

it.each([
  ['1.234,56', ',', 123_456n],
  ['1,234.56', '.', 123_456n],
  ['1 234,56', ',', 123_456n],
  ["1'234.56", '.', 123_456n],
  ['1’234’567.89', '.', 123_456_789n],
  ['1\u{a0}234,56', ',', 123_456n],
  ['1\u{202f}234,56', ',', 123_456n],
  ['12,34,567.89', '.', 123_456_789n],
  ['1234', ',', 123_400n],
  [',50', ',', 50n],
  ['50,--', ',', 5_000n],
  ['50.-', '.', 5_000n],
  ['7,5', ',', 750n],
  ['7,5000', ',', 750n],
  // One reading only, whatever the usual sign is.
  ['12.50', ',', 1_250n],
  ['1.234,56', '.', 123_456n],
] as const)('rule 52: %s is an amount', (cell, decimal, amount) => {
  expect(euros(cell, decimal)).toEqual({ amount, direction: undefined, currency: '' })
})

it.each([
  ['-5,00', 'out', ''],
  ['\u{2212}5,00', 'out', ''],
  ['5,00-', 'out', ''],
  ['(5,00)', 'out', ''],
  ['- 5,00 €', 'out', 'EUR'],
  ['€ -5,00', 'out', 'EUR'],
  ['+5,00', 'in', ''],
  ['5,00 S', 'out', ''],
  ['5,00 H', 'in', ''],
  ['EUR 5,00 CR', 'in', 'EUR'],
  ['5,00 EUR', undefined, 'EUR'],
  ['Fr. 5,00', undefined, 'CHF'],
  ['$5,00', undefined, '$'],
  ['5,00 zł', undefined, 'PLN'],
] as const)('%s says its direction and its currency', (cell, direction, currency) => {
  expect(euros(cell)).toEqual({ amount: 500n, direction, currency })
})

it.each([
  '',
  'five',
  '5,001',
  '5,000',
  '12.5',
  '1.23.456,00',
  '1.2345',
  '1,234,5',
  '--5',
  '-5-',
  '-5 H',
  '5 S H',
  '1.234 567,00',
  '5 EUR USD',
  '0x10',
  '1e3',
  '٣',
  '5,',
  '1'.repeat(16),
])('rule 52: %s is no certain amount', (cell) => expect(euros(cell)).toBeUndefined())

const grouped = (whole: string, sign: string) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, sign)

it('each amount is read as it was written, with each sign for thousands and decimals', () => {
  const signs = fc.constantFrom(
    ...(['.', ' ', "'", '’', '\u{a0}', '\u{202f}', ''] as const).map((group) => ({
      group,
      decimal: ',' as const,
    })),
    ...([',', ' ', "'", ''] as const).map((group) => ({ group, decimal: '.' as const })),
  )
  const minus = fc.constantFrom('', '-', '\u{2212}')
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 99_999_999_999_999n }),
      signs,
      minus,
      (amount, { group, decimal }, sign) => {
        const [whole, part] = [String(amount / 100n), String(amount % 100n).padStart(2, '0')]
        const read = euros(`${sign}${grouped(whole, group)}${decimal}${part}`, decimal)
        expect(read).toEqual({ amount, direction: sign === '' ? undefined : 'out', currency: '' })
      },
    ),
  )
})

it('no cell is read as two amounts: with the other sign for decimals it is the same, or none', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,4}([.,' ]\d{1,4}){0,3}$/), (cell) => {
      const [comma, point] = [euros(cell, ',')?.amount, euros(cell, '.')?.amount]
      // Whole thousands are the exception: there the form decides, and its opposite reads nothing.
      if (comma !== undefined && point !== undefined) expect(comma).toBe(point)
    }),
  )
})

it.each([
  ['20.11.2026', 'dd.mm.yyyy', '2026-11-20'],
  ['1.2.26', 'dd.mm.yyyy', '2026-02-01'],
  ['2026-11-20', 'dd.mm.yyyy', '2026-11-20'],
  ['2026-11-20T09:30:00', 'dd/mm/yyyy', '2026-11-20'],
  ['20261120', 'yyyymmdd', '2026-11-20'],
  ['02/03/2026', 'dd/mm/yyyy', '2026-03-02'],
  ['02/03/2026', 'mm/dd/yyyy', '2026-02-03'],
  ['20-11-2026', 'dd-mm-yyyy', '2026-11-20'],
  ['25 Nov 2026', 'yyyy-mm-dd', '2026-11-25'],
  ['3. März 2026', 'dd.mm.yyyy', '2026-03-03'],
  ['Dec 5, 2026', 'yyyy-mm-dd', '2026-12-05'],
  ['13/02/2026', 'yyyy-mm-dd', '2026-02-13'],
  ['02/03/2026', 'yyyy-mm-dd', undefined],
  ['31.11.2026', 'dd.mm.yyyy', undefined],
  ['29.2.2027', 'dd.mm.yyyy', undefined],
  ['25/11/2026', 'mm/dd/yyyy', undefined],
  ['offen', 'dd.mm.yyyy', undefined],
  ['--', 'dd.mm.yyyy', undefined],
] as const)('%s in a file of %s is the day %s', (cell, form, day) => {
  expect(dayIn(cell, form)).toBe(day)
  expect(isInOtherOrder(cell, form)).toBe(cell === '25/11/2026')
})
