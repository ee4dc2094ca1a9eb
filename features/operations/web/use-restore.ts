import { restoreCompany } from '#features/operations/company-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'

type Way = { section: string; /** The present version. */ version: number; to: number }

/** Goes back to an earlier version of a section. `onEnd` learns whether it did. */
export function useRestore(onEnd: (isRestored: boolean) => void) {
  const { withProof, dialog } = useReauthentication()
  const { pending, run } = useAct(async ({ section, ...body }: Way) => {
    const answer = await withProof(() => call(restoreCompany, { params: { section }, body }))
    if (answer?.status === 204) toastSuccess(() => m.operations_company_restored())
    else if (answer) toastError(m.operations_system_act_failed, answer)
    onEnd(answer?.status === 204)
  })
  return { pending, restore: run, dialog }
}
