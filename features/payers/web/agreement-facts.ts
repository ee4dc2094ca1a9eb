import type { Agreement } from '#features/payers/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

/** An agreement in a few words. */
export const factsOf = (agreement: Agreement): string[] => {
  const { account, email, asked_by, side, all_hosts, hosts, requested_hosts, pays, state, expires_at } =
    agreement
  const count = state === 'active' ? hosts : requested_hosts
  return [
    // If the other side asked for the agreement, the address is the user's own and is not shown.
    ...(account && email && asked_by === side && account.name !== email ? [email] : []),
    ...(all_hosts ? [m.payers_hosts_all()] : count > 0 ? [m.payers_hosts({ count })] : []),
    pays === 'all' ? m.payers_pays_all() : m.payers_pays_renewals(),
    ...limitOf(agreement),
    ...(state === 'active' && requested_hosts > 0 ? [m.payers_waiting({ count: requested_hosts })] : []),
    ...(expires_at === null ? [] : [m.payers_expires({ date: formatDate(expires_at) })]),
  ]
}

function limitOf({ state, month_limit, spent_this_month }: Agreement): string[] {
  const spent = formatMoney(spent_this_month)
  if (state === 'active' && month_limit === null) return [m.payers_spent_free({ spent })]
  return month_limit === null ? [] : [m.payers_spent({ spent, limit: formatMoney(month_limit) })]
}
