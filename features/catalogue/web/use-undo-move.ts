import { undoPlanMove, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { planText } from './plan-text.ts'

/** Takes the move of a plan's servers back, until it counts. */
export function useUndoMove() {
  const { withProof, dialog } = useReauthentication()
  const { run } = useAct(async (plan: CataloguePlan) => {
    const name = planText(plan)
    const answer = await withProof(() => call(undoPlanMove, { params: { slug: plan.slug } }))
    refreshPlans()
    if (!answer) return
    if (answer.status !== 200) toastError(() => m.catalogue_change_failed(), answer)
    else toastSuccess(() => m.catalogue_move_undone({ plan: name }))
  })
  return { undo: run, dialog }
}

/** True while the servers of a plan still keep it, and the move to another one can be undone. */
export const isMoveAhead = ({ moves }: CataloguePlan): boolean =>
  moves !== null && Date.parse(moves.from) > Date.now()
