import { createHash } from 'node:crypto'
import { keepStatements } from '#features/banking/server/banking.ts'
import { ownIban, transfersOf } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'

/** Yesterday's statement of the operator's bank: one payment to book at once, one to look at, and two that are nobody's. */
export async function seedStatement(
  app: App,
  tx: Tx,
  { anna, mikhail, olivia }: { anna: string; mikhail: string; olivia: string },
): Promise<void> {
  const iban = ownIban(app)
  const transfers = await transfersOf(tx, [anna, mikhail])
  const [hers, his] = [anna, mikhail].map((id) => transfers.find(({ user_id }) => user_id === id))
  if (iban === undefined || !hers || !his) return
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const { currency } = app.config
  const payments = [
    {
      amount: his.amount,
      name: 'MIHAILS SOKOLOVS',
      iban: 'LV80BANK0000435195001',
      text: his.reference.replaceAll('-', ' '),
    },
    {
      amount: hers.amount - 10_00n,
      name: 'Anna Berger',
      iban: 'DE75512108001245126199',
      text: `Guthaben ${hers.reference}`,
    },
    { amount: 49_90n, name: 'Nordlicht Film GmbH', iban: 'DE89370400440532013000', text: 'Rechnung 2026-17' },
    { amount: -2_90n, name: '', iban: '', text: 'Kontoführung' },
  ]
  const lines = payments.map((payment, place) => ({
    ...payment,
    booked_on: yesterday,
    currency,
    end_to_end: '',
    key: digestOf(`payment ${place} of ${yesterday}`),
    nth: 1,
  }))
  const statement = {
    id: '2026-217',
    iban,
    currency,
    opened_on: yesterday,
    closed_on: yesterday,
    opening: null,
    closing: null,
    lines,
  }
  const origin = { ip: '127.0.0.1', user_agent: '', request_id: '' }
  must(
    await keepStatements(tx, [statement], { by: olivia, sha256: digestOf('the example statement'), origin }),
  )
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
