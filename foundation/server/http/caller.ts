import { isUuid } from '#foundation/uuid.ts'
import type { FastifyRequest } from 'fastify'
import type { Locale } from '#foundation/locale.ts'
import { AGENT_TOKEN_PREFIX, type Agent } from '#foundation/server/agents.ts'
import { TOKEN_PREFIX, type Program } from '#foundation/server/programs.ts'
import type { App } from '#foundation/server/app.ts'
import {
  asRobot,
  findByAccessToken,
  findBySessionToken,
  isInStaffNetwork,
  viewedAccount,
} from '#foundation/server/session/session.ts'
import type { Actor, PendingLogin } from '#foundation/server/session/session.ts'
import { refusalOfStaff } from './access.ts'
import { clientAddress, isFromThisMachine } from './client-address.ts'
import { preferredLocale } from './preferred-locale.ts'

/** The caller of a request: address, browser and rights. Read afresh for each request: nothing about rights is cached. */
export type Caller = {
  ip: string
  /** The request was made on this machine, and came through no proxy. */
  is_local: boolean
  /** The address is one from which staff may work. */
  in_staff_network: boolean
  user_agent: string
  /** The first language of Accept-Language that we have. */
  locale: Locale
  request_id: string
  /** The id that the calling page chose for itself: by it a page recognises the events of its own calls. */
  tab: string | undefined
  /** The X-Session-Token that was sent, if any. */
  session_token?: string
  actor?: Actor
  /**
   * The state of a view: the member has asked to see an account as its customer does. In an open view `actor` is that customer,
   * and `member` is who looks.
   */
  view?: 'open' | 'ended'
  member?: Actor
  pending?: PendingLogin
  agent?: Agent
  program?: Program
  /** The caller is a robot. It becomes `actor` at the calls that may take it as staff. */
  robot?: Actor
  /** The session token that was sent names nothing (any more). */
  gone: boolean
}

/** The header with the id of a view, which is sent by the tab in which a member sees an account as its customer does. */
const VIEW_AS = 'x-view-as'

export async function readCaller(app: App, request: FastifyRequest): Promise<Caller> {
  const caller = await readPerson(app, request)
  const view_id = request.headers[VIEW_AS]
  return view_id === undefined ? caller : asViewed(app, caller, String(view_id))
}

/** Opens the view only for a member who may begin one now; if that right ends, the view ends. */
async function asViewed(app: App, caller: Caller, view_id: string): Promise<Caller> {
  const { actor: member } = caller
  const isOpen = app.viewPermission && !refusalOfStaff(caller, app.viewPermission) && isUuid(view_id)
  const customer = member && isOpen ? await viewedAccount(app, member, view_id) : undefined
  return customer && member
    ? { ...caller, view: 'open', actor: customer, member }
    : { ...caller, view: 'ended' }
}

/** If X-Session-Token is present it decides alone; otherwise a valid access token does (auth contract section 3). */
async function readPerson(app: App, request: FastifyRequest): Promise<Caller> {
  const ip = clientAddress(request, app.config.trustedProxies)
  const caller: Caller = {
    ip,
    in_staff_network: isInStaffNetwork(app, ip),
    is_local: isFromThisMachine(request),
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 200),
    locale: preferredLocale(request.headers['accept-language']),
    request_id: request.id,
    tab: tabOf(request.headers['x-tab-id']),
    gone: false,
  }
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const sessionToken = request.headers['x-session-token']
  // Generated clients put the token of a program into each header that the API document names. Alone it is a session that has ended.
  const isRepeated = sessionToken === bearer && bearer?.startsWith(TOKEN_PREFIX)
  if (typeof sessionToken === 'string' && sessionToken !== '' && !isRepeated) {
    const found = await findBySessionToken(app, sessionToken)
    return Object.assign(caller, { session_token: sessionToken, gone: found === undefined }, found)
  }
  if (bearer?.startsWith(AGENT_TOKEN_PREFIX)) {
    const agent = await app.findAgent?.(app, bearer)
    return agent ? Object.assign(caller, { agent }) : caller
  }
  if (bearer?.startsWith(TOKEN_PREFIX)) {
    const program = await app.findProgram?.(app, bearer, ip)
    if (program) return Object.assign(caller, { program })
    const robot = await app.findRobot?.(app, bearer, ip)
    return robot ? Object.assign(caller, { robot: asRobot(robot) }) : caller
  }
  const actor = bearer ? await findByAccessToken(app, bearer) : undefined
  return actor ? Object.assign(caller, { actor }) : caller
}

const tabOf = (header: string | string[] | undefined) =>
  typeof header === 'string' && /^[\w-]{8,36}$/.test(header) ? header : undefined
