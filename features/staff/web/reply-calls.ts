import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/staff/contract.ts'
import type { CannedReply } from '#features/staff/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { reading, refreshQueries } from '#foundation/web/api/query.ts'

export const useReplies = () => useQuery(reading(contract.listReplies))

type Fields = Pick<CannedReply, 'title' | 'text' | 'language'>

/** Keeps a new reply, or what became of the one with this id. */
export async function saveReply(
  id: string | undefined,
  body: Fields,
  headers: { 'idempotency-key': string },
) {
  const answer =
    id === undefined
      ? await call(contract.createReply, { headers, body })
      : await call(contract.updateReply, { params: { replyId: id }, body })
  if (answer.status === 200 || answer.status === 201) refreshQueries(contract.listReplies)
  return answer
}

export async function deleteReply(replyId: string): Promise<boolean> {
  const { status } = await call(contract.deleteReply, { params: { replyId } })
  refreshQueries(contract.listReplies)
  // Gone is gone, whoever did it.
  return status === 204 || status === 404
}
