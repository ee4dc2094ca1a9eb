import { changePlan, type CataloguePlan } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { namesIn, PlanNames } from './plan-names.tsx'
import { planText } from './plan-text.ts'

/** Gives a plan other names. */
export const RenamePlan = ({ plan, ...dialog }: DialogProps & { plan: CataloguePlan }) => (
  <ActDialog
    {...dialog}
    about={plan.slug}
    title={m.catalogue_rename_of({ plan: planText(plan) })}
    description={m.catalogue_rename_text()}
    act={m.catalogue_rename_save()}
    submit={async (fields, send) => {
      const body = { name: namesIn(fields), version: plan.version }
      const answer = await send(body, () => call(changePlan, { params: { slug: plan.slug }, body }))
      if (!answer) return undefined
      refreshPlans()
      if (answer.status !== 200) return answer
      toastSuccess(() => m.catalogue_renamed())
      return dialog.onClose()
    }}
  >
    <PlanNames name={plan.name} />
  </ActDialog>
)
