import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ParsedOf, ReplyOf, Route } from '#foundation/contract.ts'
import type { Agent } from '#foundation/server/agents.ts'
import type { Program } from '#foundation/server/programs.ts'
import type { App } from '#foundation/server/app.ts'
import type { RequestLimit } from '#foundation/server/limits/limits.ts'
import type { Actor, PendingLogin } from '#foundation/server/session/session.ts'
import type { Caller } from './caller.ts'
import type { Judge, Parsed } from './parse.ts'

/** The input of a handler. `actor` is there, and typed so, exactly where the contract's `access` demands one. */
export type Call<R extends Route> = ParsedOf<R> & By<R>

type By<R extends Route> = {
  app: App
  caller: Caller
  actor: R['access']['who'] extends 'customer' | 'staff' | 'member' ? Actor : Actor | undefined
  pending: R['access']['who'] extends 'pending' ? PendingLogin : PendingLogin | undefined
  agent: R['access']['who'] extends 'agent' ? Agent : Agent | undefined
  program: R['access']['who'] extends 'program' ? Program : Program | undefined
  request: FastifyRequest
  /** The reply itself, for the few that are not JSON: the handler answers through it and returns `null`. */
  reply: FastifyReply
}

/**
 * A contract whose `limits` are names of declared limits. A contract itself cannot have this type, because the browser reads contracts too
 * and knows no limits.
 */
type Limited = Route & { limits?: readonly RequestLimit[] }

/** A contract with the function that answers it. The two travel together, so no route can get the function of another. */
export type Handler = {
  readonly contract: Limited
  /** A method, so that each contract may have a call of its own; `handler` ties the two. */
  answer(call: Parsed & By<Route>): Promise<{ status: number; body?: unknown } | null>
  readonly judge: Judge | undefined
}

/**
 * The function that answers the calls of a contract. A conditional type, because only such a one lets TypeScript read the
 * returned object by the contract: a bare function type of `R` would widen `status: 200` to a number.
 */
type Answer<R extends Route> = R extends Route ? (call: Call<R>) => Promise<ReplyOf<R> | null> : never

/**
 * Answers the calls of a contract; `judge` adds refusals that the contract's schemas cannot express. A function without a name gets that of
 * the call, for stack traces and profiles.
 */
export function handler<const R extends Limited>(contract: R, answer: Answer<R>, judge?: Judge): Handler {
  if (answer.name === '') Object.defineProperty(answer, 'name', { value: contract.id })
  return { contract, answer, judge }
}
