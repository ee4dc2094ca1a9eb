import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Props = DialogProps & { side: Side; endpoint: Endpoint }

/** Gives an endpoint another secret. */
export const ReplaceSecret = ({ side, endpoint, ...dialog }: Props) => (
  <SecretDialog
    {...dialog}
    title={m.webhooks_secret_replace_title()}
    description={m.webhooks_secret_replace_text()}
    act={m.webhooks_secret_replace()}
    make={async (withProof) => {
      const params = { endpointId: endpoint.id }
      const answer = await withProof(() => call(callsOf(side).secret, { params }))
      if (answer?.status !== 200) return answer
      refreshWebhooks(side)
      return answer.body
    }}
  />
)
