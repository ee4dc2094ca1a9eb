import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/support/desk/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useReplies = () => useQuery(queryFor(contract.listReplies))

export async function createReply(
  body: InputOf<typeof contract.createReply>['body'],
  headers: { 'idempotency-key': string },
) {
  const answer = await call(contract.createReply, { headers, body })
  if (answer.status === 201) refreshQueries(contract.listReplies)
  return answer
}

export async function updateReply(replyId: string, body: InputOf<typeof contract.updateReply>['body']) {
  const answer = await call(contract.updateReply, { params: { replyId }, body })
  if (answer.status === 200 || answer.status === 409) refreshQueries(contract.listReplies)
  return answer
}

export async function deleteReply(replyId: string) {
  const answer = await call(contract.deleteReply, { params: { replyId } })
  refreshQueries(contract.listReplies)
  return answer
}
