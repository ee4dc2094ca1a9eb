import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { payoutFiles } from '#tests/harness/payout-files.ts'

/** Returns the contents of all elements with this name. */
const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => must(text))
const one = (xml: string, name: string): string => {
  const [found, ...others] = all(xml, name)
  expect(others, name).toEqual([])
  return must(found)
}
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

// The rules are those of ISO 20022 and of the European Payments Council (EPC132-08); `npm run test:documents` asks the schema itself.
it.each(payoutFiles())('%s: a file for the bank keeps what banks refuse files for', (_name, xml) => {
  const transfers = xml.split('<CdtTrfTxInf>').slice(1)
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>/i)
  expect(all(xml, 'NbOfTxs')).toEqual([String(transfers.length), String(transfers.length)])
  const amounts = all(xml, 'InstdAmt')
  const sum = amounts.reduce((total, amount) => total + cents(amount), 0n)
  expect(all(xml, 'CtrlSum').map(cents)).toEqual([sum, sum])
  for (const amount of amounts) expect(amount).toMatch(/^(?:[1-9]\d{0,8}|0)\.\d\d$/)
  expect(amounts.map(cents).every((amount) => amount > 0n)).toBe(true)
  expect(xml.match(/<InstdAmt Ccy="EUR">/g)).toHaveLength(transfers.length)
  const references = all(xml, 'EndToEndId')
  expect(new Set(references).size).toBe(transfers.length)
  for (const id of [...references, one(xml, 'MsgId'), one(xml, 'PmtInfId')])
    expect(id).toMatch(/^(?!\/)(?!.*\/\/)[A-Za-z0-9/?:().,'+ -]{1,35}(?<!\/)$/)
  for (const name of all(xml, 'Nm')) expect(name).toMatch(/^[A-Za-z0-9/?:().,'+ -]{1,70}$/)
  for (const iban of all(xml, 'IBAN')) expect(iban).toMatch(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/)
  for (const bic of all(xml, 'BICFI')) expect(bic).toMatch(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/)
  expect(one(xml, 'CreDtTm')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(one(xml, 'Dt')).toBe('2026-11-01')
  expect([one(xml, 'PmtMtd'), one(xml, 'Cd'), one(xml, 'ChrgBr')]).toEqual(['TRF', 'SEPA', 'SLEV'])
})

it('leaves the BIC out where the settings name none', () => {
  const files = new Map(payoutFiles())
  expect(files.get('no BIC')).toMatch(/<Othr>\s*<Id>NOTPROVIDED<\/Id>\s*<\/Othr>/)
  expect(files.get('one payout')).toContain('<BICFI>BYLADEM1001</BICFI>')
})
