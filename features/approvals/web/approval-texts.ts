import type { Approval } from '#features/approvals/contract.ts'
import { actText } from '#features/approvals/texts.ts'
import type { Money } from '#foundation/money.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** Returns a text like 'Credit of €120.00'. */
export const textOfAct = ({ act, amount }: Approval): string => actText(act, amount && formatMoney(amount))

export const causeTexts = {
  allowance: m.approvals_why_allowance,
  day: m.approvals_why_day,
  linked: m.approvals_why_linked,
  always: m.approvals_why_always,
} as const

export const linkTexts = {
  address: m.approvals_link_address,
  device: m.approvals_link_device,
  iban: m.approvals_link_iban,
} as const

export const statusTexts = {
  proposed: m.approvals_status_proposed,
  approved: m.approvals_status_approved,
  failed: m.approvals_status_failed,
  refused: m.approvals_status_refused,
  withdrawn: m.approvals_status_withdrawn,
  expired: m.approvals_status_expired,
} as const

export const statusTones: Readonly<Record<Approval['status'], Tone>> = {
  proposed: 'warning',
  approved: 'success',
  failed: 'danger',
  refused: 'neutral',
  withdrawn: 'neutral',
  expired: 'neutral',
}

type Line = Approval['preview'][number]

/** Returns the consequences of an action as sentences. Codes of a newer server, which this page does not know, are left out. */
export function previewTexts({ amount, preview }: Approval): string[] {
  if (!amount) return preview.flatMap((line) => consequenceText(line) ?? [])
  const money = (minor = '0') => formatMoney({ amount: minor, currency: amount.currency })
  return preview.flatMap((line) => previewText(line, amount, money) ?? [])
}

/** The consequence of an action without an amount. */
function consequenceText({ code, params }: Line): string | undefined {
  const name = params['name'] ?? ''
  if (code === 'owner_given') return m.approvals_owner_given({ name })
  if (code === 'owner_taken') return m.approvals_owner_taken({ name })
  if (code === 'owner_invited') return m.approvals_owner_invited({ email: params['email'] ?? '' })
  if (code === 'announcement')
    return m.approvals_announcement({ title: params['title'] ?? '', count: Number(params['mails'] ?? 0) })
  if (code === 'vat_business') return m.approvals_vat_business({ vat_id: params['vat_id'] ?? '' })
  if (code === 'vat_resident') return m.approvals_vat_resident({ place: params['place'] ?? '' })
  if (code === 'vat_consumer') return m.approvals_vat_consumer()
  if (code === 'address_move') return m.approvals_move({ email: params['email'] ?? '' })
  if (code === 'account_merge') return m.approvals_merge({ email: params['email'] ?? '' })
  if (code === 'erasure') return m.approvals_erasure({ hosts: params['hosts'] ?? '0' })
  return undefined
}

function previewText(
  { code, params }: Line,
  amount: Money,
  money: (minor?: string) => string,
): string | undefined {
  if (code === 'balance')
    return m.approvals_balance({ before: money(params['before']), after: money(params['after']) })
  if (code === 'bank_account')
    return m.approvals_bank_account({
      holder: params['holder'] ?? '',
      country: regionName(params['country'] ?? ''),
      end: params['end'] ?? '',
    })
  if (code === 'bank_line')
    return m.approvals_bank_line({
      name: params['name'] ?? '',
      date: formatDay(params['date'] ?? ''),
    })
  if (code === 'voucher')
    return m.approvals_voucher({ value: money(params['value']), count: Number(params['uses']) })
  if (code === 'refund')
    return m.approvals_refund({ amount: formatMoney(amount), spent: money(params['spent']) })
  if (code === 'ends_for_next_owner') return m.approvals_ends_for_next_owner()
  if (code === 'transfer')
    return m.approvals_transfer({
      reference: params['reference'] ?? '',
      announced: money(params['announced']),
      amount: formatMoney(amount),
    })
  return undefined
}
