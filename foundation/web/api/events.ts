import type { Route } from '#foundation/contract.ts'
import type { AnswerStatus } from './answer.ts'

type AnswerListener = (answer: AnswerStatus, route: Route) => void

/** Subscribes to every answer of the API: the progress bar, the offline banner and the error page use it. */
export function onAnswer(listener: AnswerListener): () => void {
  answerListeners.add(listener)
  return () => answerListeners.delete(listener)
}

export function announceAnswer(answer: AnswerStatus, route: Route): void {
  if (answer.requestId !== undefined) lastRequestId = answer.requestId
  for (const listener of answerListeners) listener(answer, route)
}

/** Subscribes to the session's end: a 401 outside the account calls that a refresh did not fix (row A-10). */
export function onAuthError(listener: () => void): () => void {
  authErrorListeners.add(listener)
  return () => authErrorListeners.delete(listener)
}

export function announceAuthError(): void {
  for (const listener of authErrorListeners) listener()
}

/** The id of the last request that had one, for a customer to pass on to support. */
export const latestRequestId = (): string | undefined => lastRequestId

const answerListeners = new Set<AnswerListener>()
const authErrorListeners = new Set<() => void>()
let lastRequestId: string | undefined
