import { changePlan, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { planText } from './plan-text.ts'

/** The button that stops selling a plan, or sells it again. It asks for no confirmation, because a second press undoes the first. */
export function OfferPlan({ plan }: { plan: CataloguePlan }) {
  const { slug, is_active, version } = plan
  const { withProof, dialog } = useReauthentication()
  const name = planText(plan)
  const change = useAct(async () => {
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
  return (
    <>
      <Button
        size="small"
        pending={change.pending}
        aria-label={is_active ? m.catalogue_retire_of({ plan: name }) : m.catalogue_offer_of({ plan: name })}
        onClick={change.run}
      >
        {is_active ? m.catalogue_retire() : m.catalogue_offer()}
      </Button>
      {dialog}
    </>
  )
}
