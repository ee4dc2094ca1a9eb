import { writeSepaFile } from '#features/payouts/server/sepa-file.ts'

/** Files with one payout and with the most, with and without BIC, and with the longest and oddest names and amounts. */
export function payoutFiles(): [name: string, xml: string][] {
  const payer = { name: 'Hostdesk Demo GmbH & Söhne', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' }
  const created_at = new Date('2026-11-30T22:59:59.123Z')
  const transfer = { reference: 'PO-3F9A27C10B', amount: 1n, iban: 'NO9386011117947', holder: 'Anna Öztürk' }
  const of = (count: number, change: object = {}) =>
    Array.from({ length: count }, (_, place) => ({
      ...transfer,
      reference: `PO-${place.toString(16).toUpperCase().padStart(10, '0')}`,
      amount: BigInt(place + 1) * 7_01n,
      ...change,
    }))
  const file = (transfers: ReturnType<typeof of>, from: object = {}) =>
    writeSepaFile({
      id: 'PF-3F9A27C10B',
      created_at,
      day: '2026-11-01',
      payer: { ...payer, ...from },
      transfers,
    })
  return [
    ['one payout', file([transfer])],
    ['500 payouts', file(of(500))],
    ['no BIC', file(of(2), { bic: '' })],
    ['a payer in other letters', file(of(2), { name: 'ООО Пример' })],
    ['the longest names', file(of(2, { holder: 'W'.repeat(70) }), { name: 'M'.repeat(70) })],
    ['the longest IBAN', file(of(1, { iban: 'MT84MALT011000012345MTLCAST001S' }))],
    ['the largest amount', file(of(1, { amount: 999_999_999_99n }))],
  ]
}
