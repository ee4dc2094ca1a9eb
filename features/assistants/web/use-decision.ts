import { decideProposal, listProposals } from '#features/assistants/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { errorText, loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { codeOf } from './failure.ts'

/** Confirms or refuses a proposal, and says by a toast what became of it. */
export const useDecision = (proposalId: string, decision: 'confirm' | 'refuse') =>
  useAct(async () => {
    const answer = await call(decideProposal, { params: { proposalId }, body: { decision } })
    refreshQueries(listProposals)
    const [error] = answer.status === 200 ? [] : answer.errors
    const failure = answer.status === 200 ? answer.body.failure : null
    if (failure !== null) await loadErrorTexts()
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else if (answer.status === 200 && answer.body.status === 'undone')
      toast({ type: 'error', message: m.assistants_not_done_toast, closeable: true })
    else if (failure !== null)
      toast({ type: 'error', message: () => errorText({ code: codeOf(failure) }), closeable: true })
    else toastSuccess(decision === 'confirm' ? m.assistants_done : m.assistants_refused_toast)
  })
