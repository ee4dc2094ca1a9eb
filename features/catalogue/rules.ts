/** A voucher is live, or the reason why nobody can redeem it. */
export const voucherStates = ['live', 'used_up', 'expired', 'void'] as const
export type VoucherState = (typeof voucherStates)[number]

type Facts = { uses: number; used: number; is_expired: boolean; voided_at: Date | null }

export function stateOf({ uses, used, is_expired, voided_at }: Facts): VoucherState {
  if (voided_at !== null) return 'void'
  if (used >= uses) return 'used_up'
  return is_expired ? 'expired' : 'live'
}
