import type * as z from 'zod/mini'
import type { ErrorCode } from '#texts/errors.js'
import type { Capability } from './capability.ts'
import type { Permission } from './roles.ts'

/**
 * The callers that may use a route. The server refuses to start with a route that names none (rule 1).
 * - `anyone`: no sign-in needed; a signed-in caller is still recognised
 * - `pending`: a half-finished login (the password was right, the second factor is still missing)
 * - `customer`: any signed-in, active account
 * - `staff`: a member of staff whose roles hold the permission of the call, from an allowed network, with a second factor
 * - `member`: any member of staff from an allowed network, also while the second factor is missing
 * - `agent`: a program on a customer's machine, by a token of its own; people's tokens do not open these routes, nor the reverse
 * - `program`: a program with a token of an account, about this very token. At calls of customers it is a helper of the account
 */
export type Who = 'anyone' | 'pending' | 'customer' | 'staff' | 'member' | 'agent' | 'program'

/** The conditions for who may make a call, judged by one function (foundation/server/http/access.ts). */
export type Access = {
  /**
   * Asks for a proof of identity that is at most 300 s old, before anything else of the request is read: product calls refuse with 403
   * `reauthentication_required`, account calls with the 401 that names the ways to prove it.
   */
  proof?: 'recent'
} & (
  | {
      who: 'staff'
      permission: Permission
      /**
       * Each call of staff that writes acts on an account that is not the member's own, nor linked with it: the one that its path names, by
       * id or by a thing. A call whose path names none must say `body` (the field `user_id` names it), `none` (it acts on no account),
       * `any` (it moves no money and changes no rights, so that it may concern the member's own account), or `found` (the act finds the
       * accounts, and judges them as strictly itself).
       */
      account?: 'body' | 'none' | 'any' | 'found'
      /** The permissions that some kinds of things need besides: by the field `kind` of the body, or of the stored thing (http/kinds.ts). */
      kinds?: Readonly<Record<string, Permission>>
    }
  | {
      who: Exclude<Who, 'staff'>
      /**
       * The permission by which members of staff make this customer call for other accounts. A member without an allowed network and a
       * second factor counts as a customer; for a thing that is not their own, the refusal names what is missing instead of 404.
       */
      orStaff?: Permission
      /** The call serves members of staff as such, whatever their roles: the live stream. */
      orMember?: true
      /** Programs make this call of oneself too, for themselves: the live stream. */
      orProgram?: true
      /** Robots make this call of programs, too. */
      orRobot?: true
      /**
       * Each call by which customers write must say this: `refused` if the call spends money or gives the customer more to use, so
       * that blocked customers may not make it; `allowed` for all other calls.
       */
      whileBlocked?: 'allowed' | 'refused'
      /**
       * Each call of customers must say this: `own` if it concerns the caller's own account only, or the capability by which an owner
       * lets helpers make the call for the account. The account follows from the thing in the path, or from the query parameter `for`.
       */
      acts?: 'own' | Capability
    }
)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The part of the API that a call belongs to, as the API document groups its calls. */
export type Tag =
  | 'Profile'
  | 'Servers'
  | 'Sharing'
  | 'Tokens'
  | 'Webhooks'
  | 'Payment agreements'
  | 'Licences'
  | 'Finances'
  | 'Invoices'
  | 'Tickets'
  | 'Help'
  | 'Announcements'
  | 'Live stream'
  | 'Account events'
  | 'Sign-in'
  | 'Security'
  | 'Addresses'
  | 'Staff tickets'
  | 'Staff customers'
  | 'Staff finances'
  | 'Staff members'
  | 'Staff approvals'
  | 'Staff catalogue'
  | 'Staff books'
  | 'Staff operations'
  | 'Staff webhooks'
  | 'Agents'
  | 'Payment providers'

type Schema = z.ZodMiniType

/**
 * One call, declared once for both sides: the server serves, the browser calls, the API document prints it. `path` names its parameters in
 * braces: `/api/hosts/{hostId}/`. `style: 'auth'` marks the account calls under `/api/allauth/app/v1`, whose envelope repeats the status,
 * ignores unknown fields and answers 401 and 410 in its own shapes.
 */
export type Route = {
  /** The name of the constant that holds the route, and of the call in generated client programs. */
  id: string
  tag: Tag
  method: Method
  path: `/${string}`
  access: Access
  style?: 'product' | 'auth'
  /**
   * For GET only, on lists, searches and reports: the operator's replica, if there is one, may answer a caller who sends the database
   * position of the last change that the caller knows of (foundation/read-after.ts).
   */
  fromReplica?: true
  /**
   * For GET only: the call also answers a member of staff who sees the account as its customer does (X-View-As). A call without this mark
   * refuses the member, so that a forgotten mark lets no view write or show a secret.
   */
  viewable?: true
  /** An assistant may use the call as a tool: `read` answers it, `propose` lets it wait until a person confirms it (http/proposing.ts). */
  tool?: 'read' | 'propose'
  /** At most 60 characters, for lists of calls. */
  summary: string
  /** The facts that a caller must know and the schemas do not show. */
  description?: string
  /** The names of the request limits (foundation/server/limits) that are counted before the input is parsed. `handler` checks the names. */
  limits?: readonly string[]
  params?: Schema
  query?: Schema
  headers?: Schema
  body?: Schema
  /** The request's media type instead of JSON: `file` is one file as multipart/form-data, streamed by the handler; `unread` is any type, whose content is not read; `form` is JSON, or a form of single fields. */
  requestType?: 'file' | 'unread' | 'form'
  /** The media type of the reply 200, if it is not JSON; the handler streams it. `any` if each file has a media type of its own. */
  responseType?: string
  /** The schema of the body by status; `null` is a reply without a body, or with one of the type `responseType`. */
  replies: Readonly<Record<number, Schema | null>>
  /** The route's own error codes, by status. Common errors follow from the other properties (foundation/server/http/possible-errors.ts). */
  errors?: Readonly<Record<number, readonly ErrorCode[]>>
}

/** Declares a route. A property that `Route` does not have, such as a misspelt optional one, does not compile. */
export const route = <const R extends Route>(
  definition: R & Record<Exclude<keyof R, keyof Route>, never>,
): R => definition

type Part<
  R extends Route,
  K extends 'params' | 'query' | 'headers' | 'body',
  Side extends 'in' | 'out',
> = R extends { [P in K]: infer S extends Schema }
  ? Side extends 'in'
    ? z.input<S>
    : z.output<S>
  : undefined

/** The input of a caller: only the parts that the route declares. */
export type InputOf<R extends Route> = {
  [K in 'params' | 'query' | 'headers' | 'body' as R extends { [P in K]: Schema } ? K : never]: Part<
    R,
    K,
    'in'
  >
}

/** The input of a handler after parsing. */
export type ParsedOf<R extends Route> = {
  params: Part<R, 'params', 'out'>
  query: Part<R, 'query', 'out'>
  headers: Part<R, 'headers', 'out'>
  body: Part<R, 'body', 'out'>
}

/** The result of a handler: one of the declared statuses with its body. */
export type ReplyOf<R extends Route> = {
  [S in keyof R['replies'] & number]: R['replies'][S] extends Schema
    ? { status: S; body: z.input<R['replies'][S]> }
    : { status: S; body?: undefined }
}[keyof R['replies'] & number]

/** An event of one feature to which other features react in the same transaction. */
export type EventKind<Payload> = { readonly type: string; readonly payload?: Payload }

export type PayloadOf<Kind> = Kind extends EventKind<infer Payload> ? Payload : never

/** An event is news and has no answer: a payload by which a reaction could answer does not compile. A question is a call. */
export const event = <Payload extends News<Payload>>(type: string): EventKind<Payload> => ({ type })

type News<Payload> = {
  [Name in keyof Payload]: [Extract<Payload[Name], Answer>] extends [never] ? Payload[Name] : never
}
type Answer = ((...given: never[]) => unknown) | unknown[] | Set<unknown> | Map<unknown, unknown>

/**
 * The name of an event for open pages. The type takes no plain string, so that server and pages use the constant of a contract, and a
 * misspelt name does not compile.
 */
export type LiveEventName = string & { readonly live: unique symbol }

export function liveEvent(name: string): LiveEventName
export function liveEvent(name: string): string {
  return name
}

/**
 * A slot on one feature's page that other features fill: the page of a server has a slot for the licence and knows nothing of licences.
 * The page shows `<Slot of={kind} props={…}>`, and the other feature exports `provideSlot(kind, load)`.
 */
export type SlotKind<Props> = { readonly slot: string; readonly props?: Props }

export const slot = <Props>(name: string): SlotKind<Props> => ({ slot: name })
