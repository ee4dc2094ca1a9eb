import { leaveFor } from '#features/finance/web/finance.ts'
import type { MethodKind, ProviderName } from '#features/finance/rules.ts'
import { saveMethod } from '#features/methods/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'

type Offered = { provider: ProviderName; kind: MethodKind }

const labels = {
  card: m.methods_add_card,
  sepa_debit: m.methods_add_sepa_debit,
  paypal: m.methods_add_paypal,
} as const

/** The kinds of methods that can be saved, each by the first provider that keeps it. */
export function AddMethod({ offered }: { offered: readonly Offered[] }) {
  const firsts = offered.filter(
    ({ kind }, place) => offered.findIndex((other) => other.kind === kind) === place,
  )
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {firsts.map((one) => (
        <Add key={one.kind} {...one} />
      ))}
    </div>
  )
}

function Add({ provider, kind }: Offered) {
  const send = useIntention()
  const add = useAct(async () => {
    const body = { provider, kind }
    const answer = await send(body, (headers) => call(saveMethod, { headers, body }))
    if (answer.status === 201) return leaveFor(answer.body.redirect_url)
    toastError(m.methods_not_begun, answer)
  })
  return (
    <Button size="small" pending={add.pending} onClick={add.run}>
      {labels[kind]()}
    </Button>
  )
}
