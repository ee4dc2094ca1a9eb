import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { uuid } from '#foundation/fields.ts'
import { named, time, uuidText } from '#foundation/printed.ts'

/** Assistants: programs that read, and propose what a person confirms. */

const proposal = z.strictObject({
  id: uuidText(),
  /** The id of the call that is made once you confirm. */
  tool: z.string(),
  /** The name of the token by which the assistant proposed it; empty once that token is forgotten. */
  token: z.string(),
  /** All that the call would be made with: ids of its address, and the fields of its body. */
  facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  proposed_at: time(),
  /** Nobody can confirm it from this time on. */
  expires_at: time(),
  /** `undone` is confirmed, but its call was lost: confirm it again. */
  status: z.enum(['proposed', 'confirmed', 'undone', 'failed', 'refused', 'expired']),
  decided_at: z.nullable(time()),
  /** The code by which the call was refused after you had confirmed it. */
  failure: z.nullable(z.string()),
})
named('AssistantProposal', proposal)
export type Proposal = z.infer<typeof proposal>

export const listProposals = route({
  id: 'listProposals',
  tag: 'Tokens',
  method: 'GET',
  path: '/api/assistants/proposals/',
  access: { who: 'customer', acts: 'own' },
  summary: 'What assistants propose for your account',
  description: 'What waits for you first, then what you have decided, the newest first; 50 at most',
  replies: { 200: z.strictObject({ is_on: z.boolean(), items: z.array(proposal) }) },
})

export const decideProposal = route({
  id: 'decideProposal',
  tag: 'Tokens',
  method: 'POST',
  path: '/api/assistants/proposals/{proposalId}/decision/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Confirm or refuse what an assistant proposes',
  description:
    'A confirmation makes the call as you, once. If the call refuses, the proposal has `failed`, with the code of the refusal; if it was lost by a fault of ours, the proposal is `undone`, and a confirmation tries again, for six days',
  params: z.strictObject({ proposalId: uuid }),
  body: z.strictObject({ decision: z.enum(['confirm', 'refuse'], { error: 'invalid' }) }),
  replies: { 200: proposal },
  errors: { 409: ['already_decided'] },
})

export const callTools = route({
  id: 'callTools',
  tag: 'Tokens',
  method: 'POST',
  path: '/mcp',
  access: { who: 'program', orRobot: true },
  summary: 'The tools of assistants, by the Model Context Protocol',
  description:
    'Streamable HTTP without sessions. A tool reads what the token may read, or proposes what a person confirms. Off by default: `ASSISTANTS=on`',
  limits: ['assistant'],
  body: z.looseObject({ jsonrpc: z.literal('2.0', { error: 'invalid' }) }),
  replies: { 200: z.looseObject({ jsonrpc: z.literal('2.0') }), 202: null },
  errors: { 404: ['not_found'] },
})

/** The live event of each change of proposals, to the owner of the account. */
export const PROPOSALS_CHANGED = liveEvent('assistants.proposals_changed')
