import type { Locale } from '#foundation/locale.ts'
import { m } from '#texts/messages.js'

const acts: Readonly<Record<string, typeof m.approvals_act_credit>> = {
  'finance.credit': m.approvals_act_credit,
  'finance.refund': m.approvals_act_refund,
  'finance.correct': m.approvals_act_correction,
  'finance.pay_out': m.approvals_act_pay_out,
  'finance.write_off': m.approvals_act_write_off,
  'payouts.return': m.approvals_act_payout_return,
  'payouts.bank': m.approvals_act_payout_bank,
  'payouts.source': m.approvals_act_payout_source,
  'banking.book': m.approvals_act_transfer,
  'banking.assign': m.approvals_act_assignment,
  'banking.reverse': m.approvals_act_reversal,
  'vouchers.make': m.approvals_act_voucher,
}

const rights: Readonly<Record<string, typeof m.approvals_act_owner>> = {
  'team.manage': m.approvals_act_owner,
  'customers.erase': m.approvals_act_erase,
  'customers.move': m.approvals_act_move,
  'customers.merge': m.approvals_act_merge,
  'vat.override': m.approvals_act_vat,
  'announcements.publish': m.approvals_act_announcement,
}

/**
 * Returns a text like 'Credit of €120.00' with the formatted amount, in the page's language or in `locale`. Returns the name of the act if a
 * newer server has one that this code does not know.
 */
export function actText(act: string, amount: string | null, locale?: Locale): string {
  const options = locale ? { locale } : undefined
  return (amount === null ? rights[act]?.({}, options) : acts[act]?.({ amount }, options)) ?? act
}
