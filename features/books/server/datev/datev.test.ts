import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { MovementRow } from '#features/finance/server/finance.ts'
import type { DocumentRow } from '#features/invoices/server/invoices.ts'
import { usualAccounts } from './accounts.ts'
import { columns } from './columns.ts'
import { addPosting, addVat, comparisonsOf, newTally } from './control.ts'
import { headOf, rowOf, type Batch } from './file.ts'
import { movementPosting, postingsOf } from './postings.ts'
import { encoded, withinWindows1252 } from './windows-1252.ts'

const batch: Batch = {
  datev: { adviser: '29098', client: '55003', chart: 'SKR03', accounts: usualAccounts.SKR03 },
  currency: 'EUR',
  month: '2026-11',
  first_day: '2026-11-01',
  last_day: '2026-11-30',
  made_at: new Date('2026-12-03T10:11:12.345Z'),
}

const invoice: DocumentRow = {
  id: 1n,
  public_id: 'A'.repeat(22),
  user_id: '00000000-0000-4000-8000-000000000001',
  number: 'HD-2026-000017',
  kind: 'invoice',
  issued_at: new Date('2026-11-09T10:00:00Z'),
  day: '2026-11-09',
  currency: 'EUR',
  net: 1000n,
  vat: 190n,
  total: 1190n,
  gift: 0n,
  vat_kind: 'standard',
  vat_country: 'DE',
  vat_rate_bp: 1900n,
  buyer: 'Müller & "Söhne"',
  place_evidence: null,
  buyer_vat_id: '',
  corrects: null,
  cancels: false,
  transaction_id: '00000000-0000-4000-8000-000000000002',
  service: { first_day: '2026-11-09', last_day: '2026-12-08' },
  place: '',
}

const movement: MovementRow = {
  id: '00000000-0000-4000-8000-000000000003',
  type: 'fill_balance',
  user_id: invoice.user_id,
  created_at: new Date('2026-11-09T10:00:00Z'),
  day: '2026-11-09',
  amount: 5000n,
  balance_after: 5000n,
  gift: 0n,
  description: { code: 'top_up', params: { provider: 'bank' } },
  invoice_id: null,
  host_id: null,
  reference: 'HD-KXQM-4711-83',
  provider: 'bank',
  place: '',
}

/** Returns the values of a row by the names of their columns, without the empty values. */
function read(row: string): Record<string, string> {
  expect(row.endsWith('\r\n')).toBe(true)
  const cells = row.trimEnd().match(/(?:^|;)(?:"(?:[^"]|"")*"|[^;]*)/g) ?? []
  expect(cells.length).toBe(125)
  return Object.fromEntries(
    cells.flatMap((cell, place) => {
      const value = cell.replace(/^;/, '').replaceAll(/^"|"$/g, '').replaceAll('""', '"')
      return value === '' ? [] : [[columns[place] ?? '', value]]
    }),
  )
}

const rowFor = (document: DocumentRow): Record<string, string> => {
  const [posting] = postingsOf(document)
  return posting ? read(rowOf(posting, batch)) : {}
}

describe('B-08 a batch of postings for DATEV', () => {
  it('begins with what it is and 125 columns, in DATEV’s own order and spelling', () => {
    const [first = '', second = '', rest] = headOf(batch).split('\r\n')
    expect(first).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20261203101112345;;"HD";"";"";29098;55003;20260101;4;20261101;20261130;"Hostdesk 2026-11";"";1;0;0;"EUR";;"";;;"03";;;"";""',
    )
    expect(first.split(';').length).toBe(31)
    const names = second.split(';')
    expect(names.length).toBe(125)
    expect([names[6], names[9], names[10], names[13], names[39], names[40]]).toEqual([
      'Konto',
      'Belegdatum',
      'Belegfeld 1',
      'Buchungstext',
      'EU-Land u. UStID (Bestimmung)',
      'EU-Steuersatz (Bestimmung)',
    ])
    expect([names[47], names[48], names[86], names[113], names[124]]).toEqual([
      'Zusatzinformation - Art 1',
      'Zusatzinformation- Inhalt 1',
      'Zusatzinformation- Inhalt 20',
      'Festschreibung',
      'Abw. Skontokonto',
    ])
    expect(rest).toBe('')
  })

  it('moves prepaid money to revenue, gross, by kind; country and rate for the one-stop shop, the VAT ID for reverse charge', () => {
    const common = {
      'Umsatz (ohne Soll/Haben-Kz)': '11,90',
      'Soll/Haben-Kennzeichen': 'S',
      'WKZ Umsatz': 'EUR',
      Konto: '1710',
      'Gegenkonto (ohne BU-Schlüssel)': '8400',
      Belegdatum: '0911',
      'Belegfeld 1': 'HD-2026-000017',
      Buchungstext: 'Rechnung Müller & "Söhne"',
      Festschreibung: '0',
      'Zusatzinformation - Art 1': 'Kunde',
      'Zusatzinformation- Inhalt 1': invoice.user_id,
      'Zusatzinformation - Art 2': 'Leistungszeitraum',
      'Zusatzinformation- Inhalt 2': '09.11.2026 - 08.12.2026',
      Leistungsdatum: '08122026',
      'Datum Zuord. Steuerperiode': '09112026',
    }
    expect(rowFor(invoice)).toEqual(common)
    expect(rowFor({ ...invoice, kind: 'credit_note' })).toEqual({
      ...common,
      'Soll/Haben-Kennzeichen': 'H',
      Buchungstext: 'Rechnungskorrektur Müller & "Söhne"',
    })
    expect(rowFor({ ...invoice, kind: 'credit_note', cancels: true })).toMatchObject({
      'Soll/Haben-Kennzeichen': 'H',
      Buchungstext: 'Stornorechnung Müller & "Söhne"',
    })
    expect(rowFor({ ...invoice, vat_kind: 'oss', vat_country: 'GR', vat_rate_bp: 550n })).toEqual({
      ...common,
      'Gegenkonto (ohne BU-Schlüssel)': '8331',
      'EU-Land u. UStID (Bestimmung)': 'EL',
      'EU-Steuersatz (Bestimmung)': '05,50',
    })
    const business = { vat_kind: 'reverse_charge', buyer_vat_id: 'LV40003000000' } as const
    expect(rowFor({ ...invoice, ...business })).toEqual({
      ...common,
      'Gegenkonto (ohne BU-Schlüssel)': '8336',
      'EU-Land u. UStID (Bestimmung)': 'LV40003000000',
    })
    expect(rowFor({ ...invoice, vat_kind: 'outside_eu' })).toMatchObject({
      'Gegenkonto (ohne BU-Schlüssel)': '8338',
    })
    expect(rowFor({ ...invoice, vat_kind: 'small_business' })).toMatchObject({
      'Gegenkonto (ohne BU-Schlüssel)': '8195',
    })
    expect(postingsOf({ ...invoice, total: 0n })).toEqual([])
  })

  it('moves the gift of a sale back over promotion, beside the money, and nothing else of a sale that gifts have paid', () => {
    const rows = (document: DocumentRow) => postingsOf(document).map((posting) => read(rowOf(posting, batch)))
    const gift = {
      'Umsatz (ohne Soll/Haben-Kz)': '5,00',
      'Soll/Haben-Kennzeichen': 'S',
      'Gegenkonto (ohne BU-Schlüssel)': '4600',
      'Belegfeld 1': 'HD-2026-000017',
      Buchungstext: 'Geschenktes Guthaben eingelöst Müller & "Söhne"',
    }
    const lowered = { ...invoice, net: 580n, vat: 110n, total: 690n, gift: 500n }
    expect(rows(lowered)).toMatchObject([
      { 'Umsatz (ohne Soll/Haben-Kz)': '6,90', 'Gegenkonto (ohne BU-Schlüssel)': '8400' },
      gift,
    ])
    expect(rows({ ...lowered, net: 0n, vat: 0n, total: 0n })).toMatchObject([gift])
    expect(rows({ ...lowered, kind: 'credit_note', total: 0n })).toMatchObject([
      { ...gift, 'Soll/Haben-Kennzeichen': 'H' },
    ])
  })

  it('moves payments over clearing and gifts over promotion, the other way round where they are taken back', () => {
    const rowOfMovement = (given: MovementRow) => read(rowOf(movementPosting(given, 'Jörg Müller'), batch))
    expect(rowOfMovement(movement)).toMatchObject({
      'Umsatz (ohne Soll/Haben-Kz)': '50,00',
      'Soll/Haben-Kennzeichen': 'H',
      Konto: '1710',
      'Gegenkonto (ohne BU-Schlüssel)': '1360',
      'Belegfeld 1': 'HD-KXQM-4711-83',
      Buchungstext: 'Aufladung bank Jörg Müller',
      'Zusatzinformation- Inhalt 1': movement.user_id,
    })
    expect(rowOfMovement(movement)).not.toHaveProperty('Leistungsdatum')
    const back = { ...movement, type: 'charge_back', amount: -5000n, reference: null } as const
    expect(rowOfMovement(back)).toMatchObject({
      'Soll/Haben-Kennzeichen': 'S',
      'Gegenkonto (ohne BU-Schlüssel)': '1360',
      'Belegfeld 1': movement.id,
    })
    expect(rowOfMovement({ ...movement, type: 'fill_balance_voucher' })).toMatchObject({
      'Gegenkonto (ohne BU-Schlüssel)': '4600',
    })
  })

  it('writes letters that Windows-1252 lacks by others, and none as a question mark', () => {
    expect(withinWindows1252('Žižka łąka Đặng Михаил Ωμέγα 北京 – € „ß“')).toMatch(
      /^Žižka laka Dang Mikhail Omega \w+ – € „ß“$/,
    )
    const all = withinWindows1252('a\r\n;b\u2028c\u{1F600}\u202Ed\u0000e')
    expect(all).not.toMatch(/[\p{Cc}?\u2028]/u)
    expect(iconv.decode(encoded(all), 'windows-1252')).toBe(all)
    const long = rowFor({ ...invoice, buyer: '"'.repeat(100) })
    expect(long['Buchungstext']).toHaveLength(60)
  })

  it('has a control sheet that finds a cent', () => {
    const tally = newTally()
    for (const document of [invoice, { ...invoice, kind: 'credit_note' as const, vat: 19n, total: 119n }]) {
      addVat(tally, document)
      const [posting] = postingsOf(document)
      if (posting) addPosting(tally, posting)
    }
    addPosting(tally, movementPosting(movement, ''))
    const ledger = [
      { kind: 'customer', country: '', amount: 5000n - 1071n },
      { kind: 'payments', country: '', amount: -5000n },
      { kind: 'revenue', country: '', amount: 900n },
      { kind: 'vat', country: 'DE', amount: 171n },
    ] as const
    const differences = (sums: typeof ledger | readonly (typeof ledger)[number][]) =>
      comparisonsOf(tally, sums).filter(({ written, ledger: booked }) => written !== booked)
    expect(comparisonsOf(tally, ledger).map(({ name }) => name)).toEqual([
      'prepaid',
      'clearing',
      'promotion',
      'revenue',
      'vat',
    ])
    expect(differences(ledger)).toEqual([])
    expect(differences(ledger.slice(0, 3))).toMatchObject([
      { name: 'revenue' },
      { name: 'vat', country: 'DE' },
    ])
  })
})
