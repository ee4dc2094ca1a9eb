import { markPayoutSent, type StaffPayout } from '#features/payouts/staff-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshStaffPayouts } from './hooks.ts'

/** Returns a function that records a payout as sent, and the dialog in which it may ask for a proof. */
export function useMarkSent() {
  const { withProof, dialog } = useReauthentication()
  const mark = async ({ id, customer }: StaffPayout) => {
    const answer = await withProof(() => call(markPayoutSent, { params: { userId: customer.id, id } }))
    if (!answer) return
    if (answer.status === 200) toastSuccess(() => m.payouts_recorded_sent())
    else toastError(() => m.payouts_act_failed(), answer)
    refreshStaffPayouts()
  }
  return { mark: (payout: StaffPayout) => void mark(payout), dialog }
}
