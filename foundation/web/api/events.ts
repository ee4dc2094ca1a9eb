import type { Route } from '#foundation/contract.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import type { AnswerStatus } from './answer.ts'
import type { SeenSession } from './stored-session.ts'

/** Subscribes to every answer of the API, as the progress bar and the offline banner do. Returns the function to unsubscribe. */
export const onAnswer = (listener: (answer: AnswerStatus, route: Route) => void): (() => void) =>
  answerListeners.add(listener)

export function announceAnswer(answer: AnswerStatus, route: Route): void {
  if (answer.requestId !== undefined) lastRequestId = answer.requestId
  answerListeners.notify(answer, route)
}

/** Subscribes to the end of the session that a call saw: a 401 outside the account calls that a refresh did not fix (row A-10). */
export const onAuthError = (listener: (seen: SeenSession) => void): (() => void) =>
  authErrorListeners.add(listener)

export const announceAuthError = (seen: SeenSession): void => authErrorListeners.notify(seen)

/** Returns the id of the last request that had one, for customers to pass on to support. */
export const latestRequestId = (): string | undefined => lastRequestId

const answerListeners = listenersOf<[answer: AnswerStatus, route: Route]>()
const authErrorListeners = listenersOf<[seen: SeenSession]>()
let lastRequestId: string | undefined
