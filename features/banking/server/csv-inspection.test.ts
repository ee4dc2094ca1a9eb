import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { csvForm } from '#features/banking/csv-profile.ts'
import { must } from '#foundation/must.ts'
import { inspected } from './csv-inspection.ts'
import { readCsv } from './csv.ts'

const own = { iban: 'DE02120300000000202051', currency: 'EUR' }

/** The first lines of files as banks write them, each with money that came in and money that went out. */
const banks: Readonly<Record<string, readonly string[]>> = {
  'Sparkasse (CSV-CAMT)': [
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
    '"DE02120300000000202051";"25.11.26";"25.11.26";"GUTSCHR. UEBERWEISUNG";"HD-KXQM-4711";"";"";"";"";"";"";"Anna Berger";"DE75512108001245126199";"BIC";"50,00";"EUR";"Umsatz gebucht"',
    '"DE02120300000000202051";"24.11.26";"24.11.26";"FOLGELASTSCHRIFT";"Strom";"";"";"";"";"";"";"Stadtwerke";"DE89370400440532013000";"BIC";"-13,37";"EUR";"Umsatz gebucht"',
    '"DE02120300000000202051";"26.11.26";"26.11.26";"GUTSCHR. UEBERWEISUNG";"Morgen";"";"";"";"";"";"";"Anna";"DE75512108001245126199";"BIC";"9,00";"EUR";"Umsatz vorgemerkt"',
  ],
  DKB: [
    '"Girokonto";"DE02120300000000202051"',
    '"Kontostand vom 26.11.2026:";"1.234,56 €"',
    '""',
    '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
    '"25.11.26";"25.11.26";"Gebucht";"Anna Berger";"Hostdesk";"HD-KXQM-4711";"Eingang";"DE75512108001245126199";"50";"";"";""',
    '"24.11.26";"24.11.26";"Gebucht";"Hostdesk";"Stadtwerke";"Strom";"Ausgang";"DE89370400440532013000";"-13,37";"";"";""',
    '"26.11.26";"";"Vorgemerkt";"Anna";"Hostdesk";"Morgen";"Eingang";"DE75512108001245126199";"9";"";"";""',
  ],
  Commerzbank: [
    'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Auftraggeberkonto',
    '25.11.2026;25.11.2026;Gutschrift;Anna Berger HD-KXQM-4711;50,00;EUR;DE02120300000000202051',
    '24.11.2026;24.11.2026;Lastschrift;Stadtwerke Strom;-13,37;EUR;DE02120300000000202051',
  ],
  Postbank: [
    'Umsätze',
    'Konto;Filial-/Kontonummer;IBAN;Währung',
    'Postbank Giro;123;DE02120300000000202051;EUR',
    '',
    'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung',
    '25.11.2026;25.11.2026;SEPA Überweisung von;Anna Berger;HD-KXQM-4711;DE75512108001245126199;;;;;;50,00;;;;;50,00;EUR',
    '24.11.2026;24.11.2026;SEPA Lastschrift von;Stadtwerke;Strom;DE89370400440532013000;;;;;;-13,37;;;;-13,37;;EUR',
    'Kontostand;26.11.2026;;;1.234,56;EUR',
  ],
  'ING DE': [
    'Umsatzanzeige;Datei erstellt am: 26.11.2026 10:00',
    '',
    'IBAN;DE02 1203 0000 0000 2020 51',
    'Saldo;1.234,56;EUR',
    '',
    'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
    '25.11.2026;25.11.2026;Anna Berger;Gutschrift;HD-KXQM-4711;1.234,56;EUR;50,00;EUR',
    '24.11.2026;24.11.2026;Stadtwerke;Lastschrift;Strom;1.184,56;EUR;-13,37;EUR',
  ],
  'ING NL': [
    '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"',
    '"20261125";"Anna Berger";"NL00";"DE75512108001245126199";"OV";"Bij";"50,00";"Overschrijving";"HD-KXQM-4711";"1234,56";""',
    '"20261124";"Stadtwerke";"NL00";"DE89370400440532013000";"IC";"Af";"13,37";"Incasso";"Strom";"1184,56";""',
  ],
  N26: [
    '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
    '2026-11-25,2026-11-25,"Anna Berger",DE75512108001245126199,"Credit Transfer","HD-KXQM-4711",Main,50.00,,,',
    '2026-11-24,2026-11-24,Stadtwerke,DE89370400440532013000,"Direct Debit",Strom,Main,-13.37,13.37,EUR,1',
  ],
  Revolut: [
    'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
    'TOPUP,Current,2026-11-25 09:00:00,2026-11-25 09:00:01,HD-KXQM-4711,50.00,0.00,EUR,COMPLETED,1234.56',
    'CARD_PAYMENT,Current,2026-11-24 09:00:00,2026-11-24 10:00:01,Strom,-13.37,0.00,EUR,COMPLETED,1184.56',
    'TOPUP,Current,2026-11-26 09:00:00,,Morgen,9.00,0.00,EUR,PENDING,',
  ],
  Wise: [
    '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Payer Name","Payee Name"',
    'TRANSFER-1,25-11-2026,50.00,EUR,"Received money from Anna Berger",HD-KXQM-4711,1234.56,"Anna Berger",',
    'TRANSFER-2,24-11-2026,-13.37,EUR,"Sent money to Stadtwerke",Strom,1184.56,,Stadtwerke',
  ],
  Qonto: [
    '"Settlement date (local)","Total amount (incl. VAT)","Counterparty name","Reference","Currency","Status"',
    '"25-11-2026 09:00:00";"50,00"'.replaceAll(';', ','),
    '"25-11-2026 09:00:00","50.00","Anna Berger","HD-KXQM-4711","EUR","settled"',
    '"24-11-2026 09:00:00","-13.37","Stadtwerke","Strom","EUR","settled"',
  ].toSpliced(1, 1),
  'Raiffeisen AT, without names': [
    '25.11.2026;HD-KXQM-4711 Anna Berger;25.11.2026;50,00;EUR;25.11.2026 09:00:00:000',
    '24.11.2026;Strom Stadtwerke;24.11.2026;-13,37;EUR;24.11.2026 09:00:00:000',
  ],
  UBS: [
    'Kontonummer:;0123 00456789.01;',
    'Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Saldo;Beschreibung1;Beschreibung2',
    "2026-11-25;2026-11-25;EUR;;50.00;1'234.56;HD-KXQM-4711;Anna Berger",
    "2026-11-24;2026-11-24;EUR;-13.37;;1'184.56;Strom;Stadtwerke",
  ],
  PostFinance: [
    'Datum von:;2026-11-01',
    'Datum;Bewegungstyp;Avisierungstext;Gutschrift in EUR;Lastschrift in EUR;Label;Kategorie',
    '25.11.2026;Buchung;HD-KXQM-4711 Anna Berger;50;;;',
    '24.11.2026;Buchung;Strom;;-13.37;;',
  ],
  comdirect: [
    ';',
    '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
    '"Neuer Kontostand";"1.234,56 EUR";',
    '',
    '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
    '"25.11.2026";"25.11.2026";"Übertrag / Überweisung";"Auftraggeber: Anna Buchungstext: HD-KXQM-4711";"50,00";',
    '"24.11.2026";"24.11.2026";"Lastschrift / Belastung";"Auftraggeber: Stadtwerke Buchungstext: Strom";"-13,37";',
    '"Alter Kontostand";"1.184,56 EUR";',
  ],
  'a British bank': [
    'Date,Description,Paid out,Paid in,Balance',
    '25/11/2026,HD-KXQM-4711,,€50.00,"€1,234.56"',
    '24/11/2026,Strom,€13.37,,"€1,184.56"',
  ],
}

it.each(Object.entries(banks))(
  'rule 52: the form of %s is seen in its file, and read so',
  async (_, rows) => {
    const bytes = Buffer.from(rows.join('\r\n'))
    const { form, asked } = must(inspected(bytes))
    const isNameless = form.date === '#1'
    expect(asked).toEqual(isNameless ? ['amount'] : [])
    // A person names the columns of a file that does not.
    const { statements, odd, pending } = await readCsv(
      bytes,
      csvForm.parse(isNameless ? { ...form, amount: '#4', text: '#2' } : form),
      own,
    )
    const lines = must(statements[0]).lines.map(({ booked_on, amount }) => [booked_on, amount])
    expect(lines).toEqual([
      ['2026-11-25', 5000n],
      ['2026-11-24', -1337n],
    ])
    expect(must(statements[0]).lines[0]?.text).toContain('HD-KXQM-4711')
    expect([odd, pending]).toEqual([[], rows.some((row) => row.includes('Morgen')) ? 1 : 0])
  },
)

it.each([
  ['nothing that leaves', ['Tag;Betrag', '1.11.2026;5,00'], ['direction']],
  ['days that are months', ['Tag;Betrag', '02/03/2026;-5,00'], ['date_form']],
  ['whole thousands', ['Tag;Betrag', '1.11.2026;-1.234'], ['decimal']],
  ['names that no bank gives', ['Wann;Wieviel', '1.11.2026;5,00'], ['amount']],
] as const)('a file with %s is asked about', (_, rows, asked) => {
  expect(inspected(Buffer.from(rows.join('\n')))?.asked).toEqual(asked)
})

it('a file without a table shows no form, and the encoding of its umlauts is seen', () => {
  expect(inspected(Buffer.from('one line'))).toBeUndefined()
  expect(inspected(Buffer.from([0, 1, 2, 0, 3]))).toBeUndefined()
  const text = 'Buchungstag;Empfänger;Betrag\n1.11.2026;Jürgen Größer;-5,00'
  for (const [encoding, seen] of [
    ['utf-8', 'utf-8'],
    ['utf-16le', 'utf-8'],
    ['windows-1252', 'windows-1252'],
    ['cp850', 'cp850'],
  ] as const) {
    const { form, columns } = must(inspected(iconv.encode(text, encoding)))
    expect([form.encoding, form.payer, columns[1]?.samples]).toEqual([seen, 'Empfänger', ['Jürgen Größer']])
  }
})
