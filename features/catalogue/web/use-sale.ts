import { changePlan, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { planText } from './plan-text.ts'

/** Stops selling a plan, or sells it again. It asks for no confirmation, because a second press undoes the first. */
export function useSale() {
  const { withProof, dialog } = useReauthentication()
  const { run } = useAct(async (plan: CataloguePlan) => {
    const { slug, is_active, version } = plan
    const name = planText(plan)
    const body = { is_active: !is_active, version }
    const answer = await withProof(() => call(changePlan, { params: { slug }, body }))
    refreshPlans()
    if (!answer) return
    if (answer.status !== 200) toastError(() => m.catalogue_change_failed(), answer)
    else
      toastSuccess(() =>
        is_active ? m.catalogue_retired_done({ plan: name }) : m.catalogue_offered_done({ plan: name }),
      )
  })
  return { offer: run, dialog }
}
