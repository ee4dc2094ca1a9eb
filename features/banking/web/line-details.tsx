import type { ReactNode } from 'react'
import { paths } from '#features/paths.ts'
import type { BankLine } from '#features/banking/contract.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { dayText, matchText, nameText, sameAsText, stateTexts } from './line-texts.ts'

/** All that the statement says about a payment, and what it may be for. */
export function LineDetails({ line, onClose }: { line: BankLine; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={m.banking_details({ date: dayText(line.booked_on) })}>
      <Facts facts={factsOf(line).map(([name, value]) => ({ name, value }))} />
    </Dialog>
  )
}

function factsOf(line: BankLine): [name: string, value: ReactNode][] {
  const { amount, iban, text, state, customer, same_as, candidates } = line
  const isOpen = state === 'open'
  const facts: [name: string, value: ReactNode][] = [
    [m.finance_column_amount(), formatSignedMoney(amount)],
    [m.banking_csv_payer(), <bdi key="name">{nameText(line)}</bdi>],
  ]
  if (iban) facts.push([m.finance_bank_iban(), <code key="iban">{iban}</code>])
  if (text) facts.push([m.banking_csv_purpose(), <bdi key="text">{text}</bdi>])
  facts.push([m.invoices_status(), stateTexts[state]()])
  if (customer)
    facts.push([
      m.customers_customer(),
      <TextLink key="customer" to={paths.customer(customer.id, { tab: 'money' })}>
        {customer.email}
      </TextLink>,
    ])
  if (isOpen) facts.push([m.banking_match(), matchText(line)])
  if (isOpen && candidates.length > 0)
    facts.push([
      m.customers_transfers_announced(),
      candidates.map(({ id, reference, customer: { email }, ...sum }) => (
        <span key={id} className="block">{`${reference} · ${formatMoney(sum.amount)} · ${email}`}</span>
      )),
    ])
  if (same_as) facts.push([m.banking_repeats(), sameAsText(same_as)])
  return facts
}
