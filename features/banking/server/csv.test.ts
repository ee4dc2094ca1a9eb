import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { csvForm, type CsvForm } from '#features/banking/csv-profile.ts'
import { readCsv } from './csv.ts'

const none = { currency: '', payer: '', iban: '', text: '' } as const
const formOf = (changes: Partial<CsvForm>) =>
  csvForm.parse({
    delimiter: ';',
    encoding: 'utf-8',
    date_form: 'dd.mm.yyyy',
    decimal: ',',
    date: '',
    amount: '',
    ...none,
    ...changes,
  })
const own = { iban: 'DE02120300000000202051', currency: 'EUR' }
const readFile = (bytes: Buffer, form: Partial<CsvForm>) => readCsv(bytes, formOf(form), own)

/** Returns what a file is read as: its payments as 'day amount text', its odd rows as 'row reason', and the number of pending ones. */
async function told(lines: readonly string[] | Buffer, form: Partial<CsvForm>) {
  const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('\r\n'))
  const { statements, odd, pending } = await readFile(bytes, form)
  return {
    lines: statements
      .flatMap((one) => one.lines)
      .map(({ booked_on, amount, text }) => `${booked_on} ${amount} ${text}`.trim()),
    odd: odd.map(({ place, reason }) => `${place} ${reason}`),
    pending,
  }
}
const refusalOf = (lines: readonly string[] | Buffer, form: Partial<CsvForm>) =>
  told(lines, form).then(
    () => 'none',
    (error: Error) => error.message,
  )
const nothingElse = { odd: [], pending: 0 }

const sollHaben = [
  '"Buchungstag";"Valuta";"Auftraggeber";"Empfaenger";"IBAN";"Verwendungszweck";"Waehrung";"Betrag";" "',
  '"25.11.2026";"25.11.2026";"Hostdesk Demo";"Lieferant";"AT611904300234573201";"Erstattung HD-KXQM-4711";"EUR";"13,37";"S"',
  '"25.11.2026";"25.11.2026";"Kunde";"Hostdesk Demo";"DE89370400440532013000";"Guthaben";"EUR";"20,00";"H"',
]
const sollHabenForm = {
  date: 'Buchungstag',
  amount: 'Betrag',
  currency: 'Waehrung',
  payer: 'Auftraggeber',
  iban: 'IBAN',
  text: 'Verwendungszweck',
}

it('soll-haben: money that went out is never read as money that came in', async () => {
  expect(await refusalOf(sollHaben, sollHabenForm)).toBe('direction_unclear')
  expect(await told(sollHaben, { ...sollHabenForm, direction: '#9' })).toEqual({
    lines: ['2026-11-25 -1337 Erstattung HD-KXQM-4711', '2026-11-25 2000 Guthaben'],
    ...nothingElse,
  })
})

it.each([
  ['S', 'H'],
  ['Soll', 'Haben'],
  ['Af', 'Bij'],
  ['D', 'C'],
  ['DEBIT', 'CREDIT'],
  ['-', '+'],
  ['DR', 'CR'],
  ['Belastung', 'Gutschrift'],
  ['Ausgang', 'Eingang'],
  ['DBIT', 'CRDT'],
])('rule 52: a column that says %s and %s is asked for, and then read', async (out, into) => {
  const rows = ['Tag;Betrag;Text;Art', `1.11.2026;5,00;a;${out}`, `2.11.2026;6,00;b;${into}`]
  const form = { date: 'Tag', amount: 'Betrag', text: 'Text' }
  expect(await refusalOf(rows, form)).toBe('direction_unclear')
  // A minus anywhere does not make the other rows certain.
  expect(await refusalOf([...rows, `3.11.2026;-7,00;c;${into}`], form)).toBe('direction_unclear')
  expect(await told(rows, { ...form, direction: 'Art' })).toEqual({
    lines: ['2026-11-01 -500 a', '2026-11-02 600 b'],
    ...nothingElse,
  })
  const strange = [
    ...rows,
    '3.11.2026;7,00;c;Z',
    `4.11.2026;-8,00;d;${into}`,
    `5.11.2026;+9,00;e;${out}`,
    '6.11.2026;1,00;f;',
  ]
  expect((await told(strange, { ...form, direction: 'Art' })).odd).toEqual(
    [4, 5, 6, 7].map((row) => `${row} direction_unclear`),
  )
})

it.each([
  ['letters that nobody knows', ['A', 'A', 'A']],
  ['two letters that nobody knows', ['A', 'E', 'A']],
  ['words for what left', ['Überweisung Gutschrift', 'SEPA Lastschrift', 'Gutschrift']],
  ['two kinds of rows', ['Zahlung', 'Erlös', 'Zahlung']],
] as const)('a file in which nothing leaves and a column has %s is asked about, once', async (_, kinds) => {
  const rows = ['Tag;Betrag;Art', ...kinds.map((kind, place) => `${place + 1}.11.2026;5,00;${kind}`)]
  const form = { date: 'Tag', amount: 'Betrag' }
  expect(await refusalOf(rows, form)).toBe('direction_unclear')
  expect((await told(rows, { ...form, sign: 'minus' })).lines).toHaveLength(3)
  // A word for what left is no riddle beside a sign.
  const signed = ['Tag;Betrag;Art', '1.11.2026;-5,00;SEPA Lastschrift', '2.11.2026;6,00;Überweisung']
  expect((await told(signed, form)).lines).toEqual(['2026-11-01 -500', '2026-11-02 600'])
})

const comdirect = [
  ';',
  '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
  '"Neuer Kontostand";"1.234,56 EUR";',
  '',
  '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
  '"offen";"--";"Übertrag / Überweisung";"Auftraggeber: Muster";"12,50";',
  '"25.11.2026";"25.11.2026";"Übertrag / Überweisung";"Auftraggeber: Muster Buchungstext: HD-AAAA-1111-11";"50,00";',
  '"Alter Kontostand";"1.184,56 EUR";',
]
const comdirectForm = { date: 'Buchungstag', amount: 'Umsatz in EUR', text: 'Buchungstext' }

it('comdirect-offen: what is not booked yet waits, and a balance is no payment', async () => {
  expect(await told(comdirect, comdirectForm)).toEqual({
    lines: ['2026-11-25 5000 Auftraggeber: Muster Buchungstext: HD-AAAA-1111-11'],
    odd: [],
    pending: 1,
  })
  const inFrancs = comdirect.map((line) => line.replace('Umsatz in EUR', 'Umsatz in CHF'))
  expect((await told(inFrancs, { ...comdirectForm, amount: 'Umsatz in CHF' })).odd).toEqual([
    '7 wrong_currency',
  ])
})

it.each([
  'offen',
  'vorgemerkt',
  'Umsatz vorgemerkt',
  'Pending',
  'PENDING',
  'Reserviert',
  'In Bearbeitung',
  'DECLINED',
])(
  'a row whose state is %s waits, in a column for the state, in one that nobody named, and instead of a day',
  async (state) => {
    const rows = ['Tag;Status;Betrag', `1.11.2026;${state};5,00`, '2.11.2026;Gebucht;6,00']
    const read = { lines: ['2026-11-02 600'], odd: [], pending: 1 }
    const form = { date: 'Tag', amount: 'Betrag', sign: 'minus' } as const
    expect(await told(rows, form)).toEqual(read)
    expect(await told(rows, { ...form, state: 'Status' })).toEqual(read)
    expect(await told(['Tag;Status;Betrag', `${state};;5,00`, '2.11.2026;;6,00'], form)).toEqual(read)
    const strange = [
      'Tag;Status;Betrag',
      '1.11.2026;Perhaps;5,00',
      '2.11.2026;gebucht;6,00',
      '3.11.2026;;7,00',
    ]
    expect((await told(strange, { ...form, state: 'Status' })).odd).toEqual([
      '2 state_unclear',
      '4 state_unclear',
    ])
  },
)

it.each([
  ['UTF-16LE with its mark', 'utf-16le', true],
  ['UTF-16BE with its mark', 'utf-16be', true],
  ['UTF-16LE', 'utf-16le', false],
  ['UTF-16BE', 'utf-16be', false],
  ['UTF-8 with its mark', 'utf-8', true],
  ['UTF-8', 'utf-8', false],
  ['Windows-1252', 'windows-1252', false],
  ['Latin-1', 'iso-8859-1', false],
  ['CP850', 'cp850', false],
] as const)('utf16: a file in %s is read', async (_, encoding, addBOM) => {
  const text = 'Buchungsdatum;Betrag;Text;Währung\r\n25.11.2026;12,50;Grüße;EUR\r\n'
  const form = { date: 'Buchungsdatum', amount: 'Betrag', text: 'Text', currency: 'Währung' }
  const usual = encoding === 'cp850' ? 'cp850' : 'utf-8'
  const read = await told(iconv.encode(text, encoding, { addBOM }), { ...form, encoding: usual })
  expect(read).toEqual({ lines: ['2026-11-25 1250 Grüße'], ...nothingElse })
})

it('rule 51: rows that are not certain are set aside with their reason, and the others are read', async () => {
  const rows = [
    'Tag;Zahler;Zweck;Betrag;Waehrung',
    '20.11.2026;"Brückner; Anna";"HD-KXQM\n4711";1.234,50;EUR',
    '31.11.2026;A;no such day;5,00;EUR',
    '20.11.2026;A;no amount;five;EUR',
    '20.11.2026;A;three digits;5,001;EUR',
    '20.11.2026;A;other money;5,00;USD',
    '20.11.2026;A;a sign of other money;$5,00;EUR',
    ';A;no day;5,00;EUR',
    '20.11.2026;A;no money;;EUR',
    '20.11.2026;A;a; separator too many;5,00;EUR',
    '20.11.2026;Joe "the Boss;a quote within;6,00;EUR',
    '20.11.2026;"A;an open quote;7,00;EUR',
    '20.11.2026;B;behind the open quote;8,00;',
    'Summe;;;999,00;EUR',
    ';TotalEnergies;Total;999,00;EUR',
    '20.11.2026;C;nothing moved;0,00;EUR',
  ]
  const form = { date: 'Tag', amount: 'Betrag', currency: 'Waehrung', payer: 'Zahler', text: 'Zweck' }
  const { statements, odd } = await readFile(Buffer.from(rows.join('\n')), formOf(form))
  expect(statements[0]?.lines.map(({ amount, name, text, place }) => [amount, name, text, place])).toEqual([
    [123_450n, 'Brückner; Anna', 'HD-KXQM 4711', 2],
    [600n, 'Joe "the Boss', 'a quote within', 12],
    [700n, '"A', 'an open quote', 13],
    [800n, 'B', 'behind the open quote', 14],
  ])
  expect(statements[0]).toMatchObject({
    ...own,
    kind: 'csv',
    opened_on: '2026-11-20',
    closed_on: '2026-11-20',
  })
  expect(odd.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
    '4 day_unclear',
    '5 amount_unclear',
    '6 amount_unclear',
    '7 wrong_currency',
    '8 wrong_currency',
    '9 day_unclear',
    '10 amount_unclear',
    '11 columns_unclear',
    '16 day_unclear',
  ])
  expect(odd[3]).toMatchObject({ kind: 'row', shown: '20.11.2026;A;other money;5,00;USD' })
})

it.each([
  [
    'two columns',
    'Tag;Soll;Haben',
    ['1.11.2026;12,50;', '2.11.2026;;20,00'],
    { debit: 'Soll', credit: 'Haben' },
  ],
  [
    'a minus in the column of what left',
    'Tag;Out;In',
    ['1.11.2026;-12,50;0,00', '2.11.2026;0,00;20,00'],
    { debit: 'Out', credit: 'In' },
  ],
  [
    'only one of both',
    'Tag;Belastung;Gutschrift',
    ['1.11.2026;12,50', '2.11.2026;;20,00'],
    { debit: 'Belastung', credit: 'Gutschrift' },
  ],
] as const)('amounts in %s are read by their column', async (_, header, rows, columns) => {
  const { lines, odd } = await told([header, ...rows], { date: 'Tag', ...columns })
  expect([lines, odd]).toEqual([['2026-11-01 -1250', '2026-11-02 2000'], []])
})

it('what stands in both columns, or contradicts its column, is set aside', async () => {
  const rows = [
    'Tag;Soll;Haben',
    '1.11.2026;1,00;2,00',
    '2.11.2026;+1,00;',
    '3.11.2026;;-1,00',
    '4.11.2026;;',
    '5.11.2026;;3,00',
  ]
  expect(await told(rows, { date: 'Tag', debit: 'Soll', credit: 'Haben' })).toMatchObject({
    lines: ['2026-11-05 300'],
    odd: ['2 amount_unclear', '3 direction_unclear', '4 direction_unclear', '5 amount_unclear'],
  })
  // A profile that takes the column of what left for the amount.
  expect(await refusalOf(rows, { date: 'Tag', amount: 'Soll' })).toBe('direction_unclear')
})

it('the currency is the one behind the amount, and one that the form does not name counts all the same', async () => {
  const ing = [
    'Buchung;Saldo;Währung;Betrag;Währung',
    '1.11.2026;9,00;USD;5,00;EUR',
    '2.11.2026;9,00;EUR;6,00;USD',
  ]
  expect(await told(ing, { date: 'Buchung', amount: 'Betrag', currency: 'Währung' })).toMatchObject({
    lines: ['2026-11-01 500'],
    odd: ['3 wrong_currency'],
  })
  const unnamed = ['Tag;Betrag;Currency', '1.11.2026;5,00;EUR', '2.11.2026;-6,00;USD']
  expect((await told(unnamed, { date: 'Tag', amount: 'Betrag' })).odd).toEqual(['3 wrong_currency'])
})

it('separators and columns are found however the file writes them', async () => {
  const form = { date: 'tag', amount: 'BETRAG', text: 'Zweck' }
  for (const [separator, delimiter] of [
    [',', ';'],
    ['\t', ','],
    ['|', ';'],
    [';', '|'],
  ] as const)
    expect(
      await told(
        ['Tag', 'Betrag', 'Zweck']
          .join(separator)
          .concat('\n1.11.2026', separator, '"5,00"', separator, 'x')
          .split('\n'),
        { ...form, delimiter },
      ),
    ).toEqual({ lines: ['2026-11-01 500 x'], ...nothingElse })
  const paged = ['Tag;Betrag;Zweck', '1.11.2026;5,00;x', 'Tag;Betrag;Zweck', '2.11.2026;6,00;y']
  expect((await told(paged, form)).lines).toEqual(['2026-11-01 500 x', '2026-11-02 600 y'])
})

it.each([
  ['no such columns', ['a;b', '1;2'], 'unreadable_file'],
  ['a column that was asked for is not there', ['Tag;Betrag', '20.11.2026;5,00'], 'columns_unclear'],
  [
    'months and days that are mixed',
    ['Tag;Betrag;Zweck', '02/03/2026;5,00;a', '25/11/2026;6,00;b'],
    'day_unclear',
  ],
  ['nothing', [''], 'unreadable_file'],
] as const)('%s: refused', async (_, lines, code) => {
  expect(
    await refusalOf([...lines], { date: 'Tag', amount: 'Betrag', text: 'Zweck', date_form: 'mm/dd/yyyy' }),
  ).toBe(code)
})
