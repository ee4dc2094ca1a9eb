import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Capability } from '#foundation/capability.ts'
import type { Route } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { Named, Person } from '#foundation/server/acting.ts'
import type { Program } from '#foundation/server/programs.ts'
import type { App } from '#foundation/server/app.ts'
import { countRequest } from '#foundation/server/limits/limits.ts'
import { traced } from '#foundation/server/operation/tracing.ts'
import { accountActedFor, requiredProof, isRecent, type Actor } from '#foundation/server/session/session.ts'
import {
  goneReply,
  reauthenticationReply,
  unauthenticatedReply,
} from '#foundation/server/session/envelope.ts'
import { actsAsStaff, mayTakeRobots, refusalOf, refusalOfStaff, type Known, type Refusal } from './access.ts'
import { assertPolicies } from './policies.ts'
import { readCaller, type Caller } from './caller.ts'
import { rejectAmbiguousQuery } from './clear-query.ts'
import type { Handler } from './handler.ts'
import { assertKind } from './kinds.ts'
import { notePerson } from './logged-person.ts'
import { ALL_ACCOUNTS, namedAccount } from './named-account.ts'
import { assertOther } from './other-account.ts'
import { wrongCurrencies } from './given-currency.ts'
import { parseInput } from './parse.ts'
import { isProposed } from './proposing.ts'
import { blocked, HttpError, notFound } from './http-error.ts'
import { auditRefusedAction } from './audit-refused.ts'
import { bodyOf, errorResponse } from './error-response.ts'
import { possibleErrors } from './possible-errors.ts'
import { readBy } from './read-by.ts'
import { answerNear, tellWritten } from './read-replica.ts'
import { mountForm, mountUnread } from './bodies.ts'
import { mountUpload } from './uploads.ts'

/** Mounts the routes; throws for a route that breaks the policies (policies.ts). */
export function mount(server: FastifyInstance, app: App, routes: readonly Handler[]): void {
  const contracts = routes.map(({ contract }) => contract)
  assertPolicies(contracts, app.ownedThings)
  for (const handler of routes) {
    const { contract } = handler
    const url = contract.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const name = `${contract.method} ${contract.path}`
    const attributes = { 'http.request.method': contract.method, 'http.route': contract.path }
    const options: RouteOptions = {
      method: contract.method,
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) =>
        traced(
          name,
          attributes,
          async (span) => {
            const answer = await handle(app, handler, request, reply)
            if (app.replica) await tellWritten(app, contract, request, reply)
            span.add({ 'http.response.status_code': reply.statusCode })
            return answer
          },
          // Trace headers count only behind a trusted proxy: a stranger could ask by them for traces of all their calls.
          app.config.trustedProxies > 0 ? request.headers : {},
        ),
    }
    if (contract.requestType === 'file') mountUpload(server, options)
    else if (contract.requestType === 'unread') mountUnread(server, options)
    else if (contract.requestType === 'form') mountForm(server, options)
    else server.route(options)
  }
}

async function handle(
  app: App,
  { contract, answer, judge }: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.header('cache-control', 'no-store')
  let caller: Caller | undefined
  try {
    caller = await readCaller(app, request)
    const { member, pending, agent, program, robot } = caller
    if (robot && !caller.view && mayTakeRobots(contract)) caller = { ...caller, actor: robot }
    // A member of staff is the customer that they also are, except where the contract of this call lets them in as staff (rule 59).
    if (caller.actor?.is_staff && !actsAsStaff(contract, caller))
      caller = { ...caller, actor: { ...caller.actor, is_staff: false } }
    const { actor } = caller
    const user_id = (member ?? actor ?? pending ?? robot)?.user_id ?? program?.id
    if (user_id) notePerson(app.keys, request, user_id)
    const refusal = refusalOf(contract, knownOf(app, contract, caller))
    if (refusal) {
      const { status, body } = answerTo(app, contract, caller, refusal)
      return send(reply, status, body)
    }
    if (actor) await assertOther(app, contract, actor, request)
    for (const limit of contract.limits ?? []) await countRequest(app, limit, caller, reply)
    rejectAmbiguousQuery(request.url)
    const { access } = contract
    const { params, headers, body } = request
    const { account, query } = namedAccount(contract, request.query)
    const input = parseInput(contract, { params, query, headers, body }, (given, sent) => [
      ...(judge?.(app, given, sent) ?? []),
      ...wrongCurrencies(contract, given, app.config.currency),
    ])
    assertKind(contract, caller, Reflect.get(Object(input.body), 'kind'))
    const acting = await actingFor(app, contract, caller, { account, params: input.params })
    const proposing = isProposed(contract, request)
    if (proposing && access.who === 'customer') {
      const proposal = { contract, program, owner_id: acting?.actor.user_id, request }
      return send(reply, 202, await app.propose?.({ ...app, acting: acting?.acting }, proposal))
    }
    const given = { caller, actor: acting?.actor ?? actor, pending, agent, program, request, reply, ...input }
    // A replica may still show a helper rows that their grant no longer opens.
    const isFresh = proposing || acting !== undefined || asksForAll(input.query)
    const done = isFresh
      ? await answer({ app: { ...app, acting: acting?.acting, proposing }, ...given })
      : await answerNear(app, contract, request, (near) => answer({ app: near, ...given }))
    if (done === null) return await reply
    return send(reply, done.status, checkedBody(contract, done))
  } catch (fault) {
    const error = asToldToStaff(app, contract, caller, fault)
    // The account was closed while the call waited for its row.
    if (contract.style === 'auth' && error instanceof HttpError && error.status === 401)
      return send(reply, 401, unauthenticatedReply(app))
    if (error instanceof HttpError) assertDeclared(contract, error)
    if (contract.access.who === 'staff' && caller?.actor && !caller.view)
      await auditRefusedAction(app, contract, caller, error)
    return errorResponse(app, request, reply, error, contract.style ?? 'product')
  }
}

/**
 * Finds the account that a caller acts for, where the call is one for helpers. A view shows the things of the customer, and none of the
 * people whom the customer helps. A helper may not do what the owner may not do now.
 */
async function actingFor(app: App, contract: Route, caller: Caller, named: Named) {
  const { access } = contract
  const { actor, program, view } = caller
  const person = program ? asPerson(program) : actor
  if (access.who !== 'customer' || typeof access.acts !== 'object' || !person) return undefined
  // Members of staff read all tickets as staff, unless they name an account that they help.
  if (access.orStaff && actor?.is_staff && named.account === undefined) return undefined
  const account = named.account ?? program?.account_id
  const acting = view ? undefined : await findActing(app, person, access.acts, { ...named, account })
  const owner = acting && (await accountActedFor(app.db, acting.account.id))
  if (!acting || !owner) {
    if (account !== undefined && account !== actor?.user_id) throw notFound()
    return undefined
  }
  const refusal = refusalOf(contract, knownOf(app, contract, { ...caller, actor: owner }))
  if (refusal && refusal !== 'gone') throw refusalError(refusal, owner)
  return { acting, actor: owner }
}

/** A token is a helper that is no person: without factors, and with one account to act for. */
const asPerson = ({ id }: Program): Person => ({ user_id: id, factors: [], holds_grants: true })

async function findActing(app: App, actor: Person, acts: Capability, { account, params }: Named) {
  for (const { parameter, find } of app.namedThings) {
    const id: unknown = Reflect.get(Object(params), parameter)
    if (typeof id !== 'string') continue
    const thing = await find(app.db, id)
    if (!thing || thing.owner_id === actor.user_id || (account ?? thing.owner_id) !== thing.owner_id)
      return undefined
    return app.findActing?.(app, actor, acts, { account: thing.owner_id, params, thing })
  }
  return app.findActing?.(app, actor, acts, { account, params })
}

const asksForAll = (query: unknown): boolean => Reflect.get(Object(query), 'for') === ALL_ACCOUNTS

/** The answer to a refused caller, in the shape of the route's style. */
function answerTo(
  app: App,
  { style }: Route,
  { actor, pending }: Caller,
  refusal: Refusal,
): { status: number; body: unknown } {
  if (refusal === 'gone') return { status: 410, body: goneReply(app) }
  if (style === 'auth') {
    if (refusal === 'not_authenticated') return { status: 401, body: unauthenticatedReply(app, pending) }
    if ((refusal === 'reauthentication_required' || refusal === 'code_required') && actor)
      return { status: 401, body: reauthenticationReply(actor) }
  }
  throw refusalError(refusal, actor)
}

function refusalError(refusal: Exclude<Refusal, 'gone'>, actor?: Actor): HttpError {
  if (refusal === 'code_required')
    return new HttpError(403, [{ code: 'reauthentication_required', param: 'code' }])
  if (refusal === 'account_blocked') return blocked(must(actor))
  return new HttpError(refusal === 'not_authenticated' ? 401 : 403, [{ code: refusal }])
}

/** Proofs are judged only for calls that ask for one. */
function knownOf(app: App, { access }: Route, caller: Caller): Known {
  const actor = access.proof && caller.actor
  return {
    ...caller,
    is_recent: actor !== undefined && isRecent(app, actor),
    asks_factor: actor !== undefined && requiredProof(actor) === 'factor',
  }
}

/**
 * Turns a 404 for a member of staff who may not act as staff now into a refusal that names what is missing, even if the thing does not
 * exist.
 */
function asToldToStaff(app: App, contract: Route, caller: Caller | undefined, error: unknown): unknown {
  const { access } = contract
  if (access.who === 'staff' || !access.orStaff || !caller?.actor?.staff_roles.length) return error
  if (!(error instanceof HttpError) || error.status !== 404) return error
  const refusal = refusalOfStaff(knownOf(app, contract, caller), access.orStaff)
  return refusal === undefined || refusal === 'gone' || refusal === 'not_allowed'
    ? error
    : refusalError(refusal)
}

/** A reply is an allow-list: fields that the contract does not declare are never sent. */
function checkedBody({ method, path, replies }: Route, answer: { status: number; body?: unknown }): unknown {
  const schema = replies[answer.status]
  if (schema === undefined)
    throw new Error(`${method} ${path} answers ${answer.status}, which its contract does not declare`)
  if (schema === null) return undefined
  const result = readBy(schema, answer.body)
  if (!result.success)
    throw new Error(
      `${method} ${path} breaks its contract at ${answer.status}: ${z.prettifyError(result.error)}`,
    )
  return result.data
}

function assertDeclared(contract: Route, problem: HttpError): void {
  const { status, errors } = problem
  const codes = possibleErrors(contract).get(status)
  // The account calls have statuses that need no error code; their body is a reply of the contract.
  const undeclared = errors.find(({ code }) => !codes?.includes(code))?.code
  if (undeclared !== undefined || !(codes ?? contract.replies[status])) {
    const { method, path } = contract
    throw new Error(
      `${method} ${path} refuses with ${status} ${undeclared ?? ''}, which its contract does not declare`,
    )
  }
  if (problem.details) checkedBody(contract, { status, body: bodyOf(problem, contract.style ?? 'product') })
}

/** Sets status and type, and returns the text for Fastify to send. */
function send(reply: FastifyReply, status: number, body: unknown): string | undefined {
  reply.code(status)
  if (body === undefined) return status === 204 ? undefined : ''
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify(body)
}
