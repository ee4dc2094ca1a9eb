import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Route, Who } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { countRequest } from '#foundation/server/limits/limits.ts'
import { isRecent } from '#foundation/server/session/session.ts'
import {
  goneReply,
  reauthenticationReply,
  unauthenticatedReply,
} from '#foundation/server/session/envelope.ts'
import { readCaller, type Caller } from './caller.ts'
import { rejectAmbiguousQuery } from './clear-query.ts'
import type { Call, Handler } from './handler.ts'
import { parseInput } from './parse.ts'
import { HttpError } from './http-error.ts'
import { auditRefusedAction } from './audit-refused.ts'
import { bodyOf, errorResponse } from './error-response.ts'
import { possibleErrors } from './possible-errors.ts'
import { mountUpload } from './uploads.ts'

/** Mounts the routes. */
export function mount(server: FastifyInstance, app: App, routes: readonly Handler[]): void {
  for (const handler of routes) {
    const { contract } = handler
    assertPolicy(contract)
    const url = contract.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const options: RouteOptions = {
      method: contract.method,
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => handle(app, handler, request, reply),
    }
    if (contract.requestType === 'file') mountUpload(server, options)
    else server.route(options)
  }
}

const policies: readonly Who[] = ['anyone', 'pending', 'customer', 'staff', 'agent']

function assertPolicy(contract: Route): void {
  if (!policies.includes(contract.who)) {
    throw new Error(`${contract.method} ${contract.path} does not say who may call it.`)
  }
}

async function handle(
  app: App,
  { contract, answer: answerTo, judge }: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.header('cache-control', 'no-store')
  let caller: Caller | undefined
  try {
    caller = await readCaller(app, request)
    const refusal = errorByPolicy(app, contract, caller) ?? errorByAge(app, contract, caller)
    if (refusal) return send(reply, refusal.status, refusal.body)
    for (const limit of contract.limits ?? []) await countRequest(app, limit, caller)
    rejectAmbiguousQuery(request.url)
    const { params, query, headers, body } = request
    const input = parseInput(
      contract,
      { params, query, headers, body },
      judge && ((...given) => judge(app, ...given)),
    )
    const { actor, pending, agent } = caller
    const answer = await answerTo({
      app,
      caller,
      actor,
      pending,
      agent,
      request,
      reply,
      ...input,
    } as unknown as Call<never>)
    if (answer === null) return await reply
    return send(reply, answer.status, checkedBody(contract, answer))
  } catch (error) {
    if (error instanceof HttpError) assertDeclared(contract, error)
    if (contract.who === 'staff' && caller?.actor) await auditRefusedAction(app, contract, caller, error)
    return errorResponse(app, request, reply, error, contract.style ?? 'product')
  }
}

/** Answers for the caller that the policy does not let through, in the shape of the route's style. */
function errorByPolicy(
  app: App,
  { who, style }: Route,
  caller: Caller,
): { status: number; body: unknown } | undefined {
  if (style === 'auth' && caller.gone) return { status: 410, body: goneReply(app) }
  if (who === 'pending')
    return caller.pending?.stage === 'mfa_authenticate'
      ? undefined
      : { status: 401, body: unauthenticatedReply(app, caller.pending) }
  if (who === 'anyone') return undefined
  if (who === 'agent') {
    if (!caller.agent) throw new HttpError(401, [{ code: 'not_authenticated' }])
    return undefined
  }
  if (!caller.actor) {
    if (style === 'auth') return { status: 401, body: unauthenticatedReply(app, caller.pending) }
    throw new HttpError(401, [{ code: 'not_authenticated' }])
  }
  if (who === 'staff' && !caller.actor.is_staff) throw new HttpError(403, [{ code: 'not_allowed' }])
  return undefined
}

/** The answer where the call wants a fresh proof and the last one is too old; nobody without a session has one to renew. */
function errorByAge(
  app: App,
  { proof, style }: Route,
  { actor }: Caller,
): { status: number; body: unknown } | undefined {
  if (proof !== 'recent' || !actor || isRecent(app, actor)) return undefined
  if (style === 'auth') return { status: 401, body: reauthenticationReply(actor) }
  throw new HttpError(403, [{ code: 'reauthentication_required' }])
}

/** A reply is an allow-list: fields that the contract does not declare are never sent. */
function checkedBody({ method, path, replies }: Route, answer: { status: number; body?: unknown }): unknown {
  const schema = replies[answer.status]
  if (schema === undefined)
    throw new Error(`${method} ${path} answers ${answer.status}, which its contract does not declare`)
  if (schema === null) return undefined
  const result = z.safeParse(schema, answer.body)
  if (!result.success)
    throw new Error(
      `${method} ${path} breaks its contract at ${answer.status}: ${z.prettifyError(result.error)}`,
    )
  return result.data
}

function assertDeclared(contract: Route, problem: HttpError): void {
  const { status, errors } = problem
  const codes = possibleErrors(contract).get(status)
  // The account calls have statuses that say all by themselves; their body is a reply of the contract.
  const undeclared = errors.find(({ code }) => !codes?.includes(code))?.code
  if (undeclared !== undefined || !(codes ?? contract.replies[status])) {
    const { method, path } = contract
    throw new Error(
      `${method} ${path} refuses with ${status} ${undeclared ?? ''}, which its contract does not declare`,
    )
  }
  if (problem.details) checkedBody(contract, { status, body: bodyOf(problem, contract.style ?? 'product') })
}

/** Sets status and type; what it returns is the text that Fastify then sends. */
function send(reply: FastifyReply, status: number, body: unknown): string | undefined {
  reply.code(status)
  if (body === undefined) return status === 204 ? undefined : ''
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify(body)
}
