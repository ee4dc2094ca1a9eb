import { expect, it } from 'vitest'
import type { CsvForm } from '#features/banking/csv-profile.ts'
import { must } from '#foundation/must.ts'
import { readCsv } from './csv.ts'

const form: CsvForm = {
  delimiter: ';',
  encoding: 'utf-8',
  date_form: 'dd.mm.yyyy',
  decimal: ',',
  date: 'Buchungstag',
  amount: 'Betrag',
  currency: 'Währung',
  payer: 'Name',
  iban: 'IBAN',
  text: 'Zweck',
}
const header = 'Buchungstag;Name;IBAN;Zweck;Betrag;Währung'
const own = { iban: 'DE02120300000000202051', currency: 'EUR' }

const read = async (lines: readonly string[], changes: Partial<CsvForm> = {}) => {
  const { statements } = await readCsv(Buffer.from(lines.join('\r\n')), { ...form, ...changes }, own)
  return must(statements[0])
}
const refusalOf = (lines: readonly string[], changes: Partial<CsvForm> = {}) =>
  read(lines, changes).then(
    () => 'none',
    (error: Error) => error.message,
  )

it('reads payments behind a preamble, and leaves out those without a day', async () => {
  const { lines, ...statement } = await read([
    '\u{feff}Konto;DE02120300000000202051',
    '',
    header,
    '20.11.2026;"Brückner; Anna";DE75 5121 0800 1245 1261 99;"HD-KXQM\n4711";1.234,50;EUR',
    '1.2.2026;Bank;;Gebühr;-3,5;',
    ';vorgemerkt;;;17,00;EUR',
  ])
  expect(lines).toMatchObject([
    {
      booked_on: '2026-11-20',
      amount: 123_450n,
      currency: 'EUR',
      name: 'Brückner; Anna',
      iban: 'DE75512108001245126199',
      text: 'HD-KXQM 4711',
    },
    { booked_on: '2026-02-01', amount: -350n, name: 'Bank' },
  ])
  expect(statement).toMatchObject({ ...own, opened_on: '2026-02-01', closed_on: '2026-11-20' })
})

it.each([
  ['yyyy-mm-dd', '2026-11-20', '.', '1,234.50', 123_450n],
  ['dd/mm/yyyy', '20/11/2026', '.', '-0.07', -7n],
  ['mm/dd/yyyy', '11/20/2026', ',', "1'234,5", 123_450n],
  ['dd.mm.yy', '20.11.26', ',', '19,90-', -1990n],
] as const)('days like %s and amounts like %s', async (date_form, day, decimal, amount, minor) => {
  const { lines } = await read([header, `${day};A;;;"${amount}";EUR`], { date_form, decimal })
  expect(lines).toMatchObject([{ booked_on: '2026-11-20', amount: minor }])
})

it.each([
  ['no such columns', ['a;b', '1;2']],
  ['a column that was asked for is not there', [header.replace('Zweck', 'Text'), '20.11.2026;A;;;5,00;EUR']],
  ['a day that the month lacks', [header, '31.11.2026;A;;;5,00;EUR']],
  ['a day in another form', [header, '2026-11-20;A;;;5,00;EUR']],
  ['no amount', [header, '20.11.2026;A;;;five;EUR']],
  ['more digits than the currency has', [header, '20.11.2026;A;;;5,001;EUR']],
  ['an open quote', [header, '20.11.2026;"A;;;5,00;EUR']],
  ['nothing', ['']],
] as const)('%s: unreadable_file', async (_, lines) => {
  expect(await refusalOf(lines)).toBe('unreadable_file')
})
