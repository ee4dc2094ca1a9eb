import type { Host } from '#features/hosts/contract.ts'
import { getHost, listHosts } from '#features/hosts/contract.ts'
import { updateAgreement, type Agreement } from '#features/payers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import type { Reauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshAgreements } from './hooks.ts'

type Change = { add_host_ids: string[] } | { remove_host_ids: string[] }

/**
 * Adds a server to an agreement or removes it, by one press without a form. If the agreement was changed meanwhile, a toast says so
 * and its present state is loaded.
 */
async function change(
  { id, version }: Agreement,
  what: Change,
  { withProof }: Pick<Reauthentication, 'withProof'>,
  done: () => string,
): Promise<void> {
  const send = () => call(updateAgreement, { params: { agreementId: id }, body: { ...what, version } })
  const answer = await withProof(send)
  refreshAgreements()
  refreshQueries(getHost)
  refreshQueries(listHosts)
  const [error] = answer?.errors ?? []
  if (error?.code === 'changed')
    toast({ type: 'error', message: () => m.payers_changed_meanwhile(), closeable: true })
  else if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
  else if (answer) toastSuccess(done)
}

export const addHost = (agreement: Agreement, { id }: Host, proof: Pick<Reauthentication, 'withProof'>) =>
  change(agreement, { add_host_ids: [id] }, proof, m.payers_host_requested)

export const removeHost = (agreement: Agreement, { id }: Host, proof: Pick<Reauthentication, 'withProof'>) =>
  change(agreement, { remove_host_ids: [id] }, proof, m.payers_host_removed)
