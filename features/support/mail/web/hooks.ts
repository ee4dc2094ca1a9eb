import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/support/mail/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { pagedQueryFor, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useHeldMails = () => useInfiniteQuery(pagedQueryFor(contract.listHeldMails, { query: {} }))

export const useBlockedSenders = () =>
  useInfiniteQuery(pagedQueryFor(contract.listBlockedSenders, { query: {} }))

export const useTicketMails = (chatId: string) =>
  useQuery(queryFor(contract.getTicketMails, { params: { chatId } }))

export const useSuspended = () => useQuery(queryFor(contract.listSuspended))

type Decision = { act: 'post' | 'attach' | 'discard' | 'block'; number?: number }

/** Decides about a held mail; the list is loaded again whatever the answer is: a colleague may have been faster. */
export async function decideHeld(mailId: string, body: Decision) {
  const answer = await call(contract.decideHeldMail, { params: { mailId }, body })
  refreshQueries(contract.listHeldMails)
  if (body.act === 'block') refreshQueries(contract.listBlockedSenders)
  return answer
}

/** Lifts a block; the list is loaded again whatever the answer is. */
export async function unblock(email: string) {
  const answer = await call(contract.unblockSender, { body: { email } })
  refreshQueries(contract.listBlockedSenders)
  return answer
}

export async function decideAnswer(chatId: string, mailId: string, show: boolean) {
  const answer = await call(contract.decideAnswerOfOther, { params: { chatId, mailId }, body: { show } })
  refreshQueries(contract.getTicketMails)
  return answer
}

export async function retryAddress(email: string) {
  const answer = await call(contract.retryAddress, { body: { email } })
  refreshQueries(contract.getTicketMails)
  refreshQueries(contract.listSuspended)
  return answer
}
