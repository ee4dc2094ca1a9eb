import type { Route } from '#foundation/contract.ts'
import { isForPeople, roles, type Role } from '#foundation/roles.ts'
import { AGENT_TOKEN_PREFIX } from '#foundation/server/agents.ts'
import type { App } from '#foundation/server/app.ts'
import type { Known, Refusal } from '#foundation/server/http/access.ts'
import {
  bearer,
  halfSignedIn,
  proveByPassword,
  robotTokenOf,
  session,
  setAccess,
  setActive,
  setStaff,
  signedIn,
  signOut,
  startViewOf,
  tokenOf,
} from './people.ts'

// This agent is in no table: the tests are about the policy, not about the look-up of agents.
export const agentToken = `${AGENT_TOKEN_PREFIX}${'a'.repeat(43)}`
export const somebodysAgent = { id: 1n, user_id: '00000000-0000-4000-8000-000000000000' }

export type Verdict = 'in' | Refusal

/** True for a code that the policy alone gives. */
export const isVerdict = (code: string): code is Refusal =>
  /^(?:not_allowed|not_allowed_for_role|network_not_allowed|two_factor_required|account_blocked)$/.test(code)

export type Knocker = {
  headers: () => Promise<Record<string, string>>
  /** The same caller as the policy sees it. */
  known?: Partial<Known>
  isMember?: true
  /** Sends its requests to an installation that requires a second factor. */
  strictly?: true
  owed: (contract: Route) => Verdict
}

const nobodyIsOwed = ({ access: { who } }: Route): Verdict => (who === 'anyone' ? 'in' : 'not_authenticated')
const strangerIsOwed = (contract: Route): Verdict =>
  contract.style === 'auth' ? 'gone' : nobodyIsOwed(contract)

/** Returns the verdict for a customer. The routes of agents refuse people, staff included. */
function customerIsOwed({ access: { who } }: Route): Verdict {
  if (who === 'anyone' || who === 'customer') return 'in'
  return who === 'staff' || who === 'member' ? 'not_allowed' : 'not_authenticated'
}

/** Returns the verdict for a program with a token: a helper of the account, and nobody who signs in. */
function programIsOwed({ access, style }: Route): Verdict {
  const { who } = access
  if (who === 'anyone' || who === 'program') return 'in'
  if (who === 'staff' || who === 'member') return 'not_allowed'
  if (who !== 'customer' || style === 'auth') return 'not_authenticated'
  return access.acts === 'own' && !access.orProgram ? 'session_required' : 'in'
}

/** Returns the verdict for a robot with these roles: a member at the calls of staff, but for what only people do; elsewhere nobody. */
const robotIsOwed =
  (held: readonly Role[]) =>
  ({ access, style }: Route): Verdict => {
    const { who } = access
    if (who === 'anyone' || who === 'member' || (who === 'program' && access.orRobot)) return 'in'
    const needed = who === 'staff' ? access.permission : access.orStaff
    const holds = needed !== undefined && held.some((role) => role !== 'owner' && needed.roles.includes(role))
    if (who === 'staff') return !holds ? 'not_allowed' : isForPeople(needed) ? 'session_required' : 'in'
    if (who !== 'customer' || style === 'auth') return 'not_authenticated'
    return holds ? 'in' : access.acts === 'own' ? 'session_required' : 'not_allowed_for_role'
  }

const customer = { staff_roles: [], factor: null, access: 'open' } as const

/** Returns the verdict for a member whose rights as staff do not count now: a refusal at calls of staff, elsewhere that of a customer. */
const refusedStaffIsOwed =
  (refusal: Verdict, ofMember: Verdict) =>
  (contract: Route): Verdict => {
    const { who } = contract.access
    return who === 'staff' ? refusal : who === 'member' ? ofMember : customerIsOwed(contract)
  }

/** Returns the verdict for a member with these roles, by the table of permissions but not by the code under test. */
const memberIsOwed =
  (held: readonly Role[], stale?: Verdict) =>
  (contract: Route): Verdict => {
    const { access } = contract
    if (access.who === 'member') return 'in'
    if (access.who !== 'staff') return customerIsOwed(contract)
    const holds = held.some((role) => role === 'owner' || access.permission.roles.includes(role))
    if (!holds) return 'not_allowed'
    return stale && access.proof === 'recent' ? stale : 'in'
  }

const pairs = roles.flatMap((one, place) => roles.slice(place + 1).map((other) => [one, other] as const))

/** The callers without a role: nobody, customers and agents, with good and with bad tokens. */
const othersOf = (app: App): Record<string, Knocker> => ({
  'somebody anonymous': { headers: async () => ({}), owed: nobodyIsOwed },
  'somebody with a made-up Bearer': {
    headers: async () => bearer({ access_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }),
    owed: nobodyIsOwed,
  },
  'somebody with a made-up session token': {
    known: { gone: true },
    headers: async () => session('made-up'),
    owed: strangerIsOwed,
  },
  'somebody half signed in': {
    known: { pending: { stage: 'mfa_authenticate' } },
    async headers() {
      const person = await signedIn(app)
      return session(await halfSignedIn(app, person.user_id, person.email))
    },
    owed: ({ access: { who } }) => (who === 'anyone' || who === 'pending' ? 'in' : 'not_authenticated'),
  },
  'a customer by Bearer': {
    known: { actor: customer },
    headers: async () => bearer(await signedIn(app)),
    owed: customerIsOwed,
  },
  'a customer by session token': {
    known: { actor: customer },
    headers: async () => session((await signedIn(app)).session_token),
    owed: customerIsOwed,
  },
  'a customer with a stale proof': {
    known: { actor: customer, is_recent: false },
    headers: async () => bearer(await signedIn(app, { proven_s_ago: 400 })),
    owed(contract) {
      const verdict = customerIsOwed(contract)
      return verdict === 'in' && contract.access.proof ? 'reauthentication_required' : verdict
    },
  },
  'a customer with a second factor who proved the password alone': {
    known: { actor: customer, is_recent: false, asks_factor: true },
    async headers() {
      const person = await signedIn(app, { factor: 'totp', proven_s_ago: 400 })
      await proveByPassword(app, person)
      return bearer(person)
    },
    owed(contract) {
      const verdict = customerIsOwed(contract)
      return verdict === 'in' && contract.access.proof ? 'code_required' : verdict
    },
  },
  'somebody who was staff a moment ago': {
    known: { actor: customer },
    async headers() {
      const person = await signedIn(app, { roles: ['admin'] })
      await setStaff(app, person.user_id, false)
      return bearer(person)
    },
    owed: customerIsOwed,
  },
  'somebody who signed out, by Bearer': {
    async headers() {
      const person = await signedIn(app)
      await signOut(app, person)
      return bearer(person)
    },
    owed: nobodyIsOwed,
  },
  'somebody who signed out, by session token': {
    known: { gone: true },
    async headers() {
      const person = await signedIn(app)
      await signOut(app, person)
      return { ...session(person.session_token), ...bearer(person) }
    },
    owed: strangerIsOwed,
  },
  'an agent': {
    known: { agent: somebodysAgent },
    headers: async () => bearer({ access_token: agentToken }),
    // Only the fixtures know this agent; the routes of the product take its token for a made-up one.
    owed: ({ access: { who }, path }) =>
      who === 'anyone' || (who === 'agent' && path.includes('/fixture/')) ? 'in' : 'not_authenticated',
  },
  'an agent with a made-up token': {
    headers: async () => bearer({ access_token: `${AGENT_TOKEN_PREFIX}made-up` }),
    owed: nobodyIsOwed,
  },
  "an agent's token as a session token": {
    known: { gone: true },
    headers: async () => session(agentToken),
    owed: strangerIsOwed,
  },
  'a program with a token': {
    known: { program: {} },
    headers: async () => bearer({ access_token: await tokenOf(app, await signedIn(app)) }),
    owed: programIsOwed,
  },
  'a program with a token of a member of staff': {
    known: { program: {} },
    headers: async () =>
      bearer({ access_token: await tokenOf(app, await signedIn(app, { roles: ['owner'] })) }),
    owed: programIsOwed,
  },
  'a program with a token whose owner was locked': {
    async headers() {
      const person = await signedIn(app)
      const access_token = await tokenOf(app, person)
      await setAccess(app, person.user_id, 'locked')
      return bearer({ access_token })
    },
    owed: nobodyIsOwed,
  },
  'a program with a token as a session token': {
    known: { gone: true },
    headers: async () => session(await tokenOf(app, await signedIn(app))),
    owed: strangerIsOwed,
  },
  'a blocked customer': {
    known: { actor: { ...customer, access: 'blocked' } },
    async headers() {
      const person = await signedIn(app)
      await setAccess(app, person.user_id, 'blocked')
      return bearer(person)
    },
    owed(contract) {
      const { access } = contract
      const verdict = customerIsOwed(contract)
      return verdict === 'in' && access.who === 'customer' && access.whileBlocked === 'refused'
        ? 'account_blocked'
        : verdict
    },
  },
  'a locked customer, by Bearer': {
    async headers() {
      const person = await signedIn(app)
      await setAccess(app, person.user_id, 'locked')
      return bearer(person)
    },
    owed: nobodyIsOwed,
  },
  'a locked customer, by session token': {
    async headers() {
      const person = await signedIn(app)
      await setAccess(app, person.user_id, 'locked')
      return session(person.session_token)
    },
    owed: nobodyIsOwed,
  },
  'somebody deactivated, by Bearer': {
    async headers() {
      const person = await signedIn(app)
      await setActive(app, person.user_id, false)
      return bearer(person)
    },
    owed: nobodyIsOwed,
  },
  'somebody deactivated, by session token': {
    async headers() {
      const person = await signedIn(app)
      await setActive(app, person.user_id, false)
      return session(person.session_token)
    },
    owed: nobodyIsOwed,
  },
})

const membersOf = (app: App): Record<string, Knocker> =>
  Object.fromEntries(
    [...roles.map((role) => [role] as const), ...pairs].map((held): [string, Knocker] => [
      `a member with ${held.join(' and ')}`,
      {
        isMember: true,
        known: { actor: { staff_roles: held, factor: 'none', access: 'open' } },
        headers: async () => bearer(await signedIn(app, { roles: held })),
        owed: memberIsOwed(held),
      },
    ]),
  )

const ofRobots = ['support', 'billing', 'admin'] as const
const asRobot = (held: readonly Role[]) => ({
  robot: {},
  actor: { staff_roles: held, factor: 'none', access: 'open', is_robot: true } as const,
})

const robotsOf = (app: App): Record<string, Knocker> => ({
  'a robot with all roles that it may have': {
    known: asRobot(ofRobots),
    headers: async () => bearer({ access_token: await robotTokenOf(app, ofRobots) }),
    owed: robotIsOwed(ofRobots),
  },
  ...Object.fromEntries(
    ofRobots.map((role): [string, Knocker] => [
      `a robot with ${role}`,
      {
        isMember: true,
        known: asRobot([role]),
        headers: async () => bearer({ access_token: await robotTokenOf(app, [role]) }),
        owed: robotIsOwed([role]),
      },
    ]),
  ),
  // A second factor is required of people: a robot has none to show.
  'a robot where people need a second factor': {
    isMember: true,
    strictly: true,
    known: asRobot(ofRobots),
    headers: async () => bearer({ access_token: await robotTokenOf(app, ofRobots) }),
    owed: robotIsOwed(ofRobots),
  },
  'a robot in a foreign network': {
    isMember: true,
    known: { ...asRobot(ofRobots), in_staff_network: false },
    headers: async () => ({
      ...bearer({ access_token: await robotTokenOf(app, ofRobots) }),
      'x-forwarded-for': '203.0.113.9',
    }),
    owed(contract) {
      const { access, style } = contract
      const isOfStaff =
        access.who === 'staff' || access.who === 'member' || (access.who === 'program' && access.orRobot)
      const asStaff =
        access.who !== 'anyone' && access.who === 'customer' && access.orStaff && style !== 'auth'
      return isOfStaff || asStaff ? 'network_not_allowed' : robotIsOwed(ofRobots)(contract)
    },
  },
  'a robot that has ended': {
    headers: async () => bearer({ access_token: await robotTokenOf(app, ofRobots, { hasEnded: true }) }),
    owed: nobodyIsOwed,
  },
  'a robot with its token as a session token': {
    known: { gone: true },
    headers: async () => session(await robotTokenOf(app, ofRobots)),
    owed: strangerIsOwed,
  },
  'a robot that asks for a view': {
    known: { ...asRobot(ofRobots), actor: undefined, view: 'ended' },
    headers: async () => ({
      ...bearer({ access_token: await robotTokenOf(app, ofRobots) }),
      'x-view-as': (await viewOf(app))['x-view-as'],
    }),
    owed: viewIsOwed(({ access: { who } }) => (who === 'anyone' ? 'view_ended' : 'not_authenticated')),
  },
})

const owner = { staff_roles: ['owner'], access: 'open' } as const
const byCode = { factor: 'totp' as const }
/** Returns the headers of a member who views an account: the member's own token, and the id of the view. */
const viewOf = async (app: App, { lasts_s = 900 } = {}) => {
  const member = await signedIn(app, { roles: ['admin'] })
  const customer = await signedIn(app)
  const id = await startViewOf(app, member, customer, lasts_s)
  return { ...bearer(member), 'x-view-as': id }
}

const viewIsOwed =
  (ofViewable: (contract: Route) => Verdict) =>
  (contract: Route): Verdict =>
    contract.viewable ? ofViewable(contract) : 'read_only_view'

/** Members who view an account as its customer does: they may only read, and only by the calls that allow it. */
const viewersOf = (app: App): Record<string, Knocker> => ({
  'a member in a view': {
    known: { actor: customer, view: 'open' },
    headers: () => viewOf(app),
    owed: viewIsOwed(() => 'in'),
  },
  'a member whose view is past its time': {
    known: { actor: { ...owner, factor: 'none' }, view: 'ended' },
    headers: () => viewOf(app, { lasts_s: -1 }),
    owed: viewIsOwed(() => 'view_ended'),
  },
  'a customer with the view of a member': {
    known: { actor: customer, view: 'ended' },
    headers: async () => ({ ...(await viewOf(app)), ...bearer(await signedIn(app)) }),
    owed: viewIsOwed(() => 'view_ended'),
  },
  'another member with the view of a member': {
    known: { actor: { ...owner, factor: 'none' }, view: 'ended' },
    headers: async () => ({ ...(await viewOf(app)), ...bearer(await signedIn(app, { roles: ['owner'] })) }),
    owed: viewIsOwed(() => 'view_ended'),
  },
  'a view without anybody': {
    known: { view: 'ended' },
    headers: async () => ({ 'x-view-as': (await viewOf(app))['x-view-as'] }),
    owed: viewIsOwed(({ access: { who } }) => (who === 'anyone' ? 'view_ended' : 'not_authenticated')),
  },
})

/** All kinds of callers: each with the headers that it sends, and the verdict that the policy of a route must return. */
export const knockersOf = (app: App): Record<string, Knocker> => ({
  ...othersOf(app),
  ...membersOf(app),
  ...viewersOf(app),
  ...robotsOf(app),
  'an owner with a code': {
    isMember: true,
    known: { actor: { ...owner, factor: 'proven' } },
    headers: async () => bearer(await signedIn(app, { roles: ['owner'], ...byCode })),
    owed: memberIsOwed(['owner']),
  },
  'an owner with a stale proof': {
    isMember: true,
    known: { actor: { ...owner, factor: 'none' }, is_recent: false },
    headers: async () => bearer(await signedIn(app, { roles: ['owner'], proven_s_ago: 400 })),
    owed(contract) {
      const { access } = contract
      const verdict = memberIsOwed(['owner'], 'reauthentication_required')(contract)
      return verdict === 'in' && access.proof ? 'reauthentication_required' : verdict
    },
  },
  'an owner whose code is older than five minutes': {
    isMember: true,
    known: { actor: { ...owner, factor: 'proven' }, is_recent: false, asks_factor: true },
    headers: async () => bearer(await signedIn(app, { roles: ['owner'], ...byCode, proven_s_ago: 400 })),
    owed(contract) {
      const verdict = memberIsOwed(['owner'], 'code_required')(contract)
      return verdict === 'in' && contract.access.proof ? 'code_required' : verdict
    },
  },
  'an owner whose code is older than STAFF_PROOF_H': {
    isMember: true,
    known: { actor: { ...owner, factor: 'stale' }, is_recent: false, asks_factor: true },
    async headers() {
      const person = await signedIn(app, { roles: ['owner'], ...byCode, proven_s_ago: 13 * 3600 })
      await proveByPassword(app, person)
      return bearer(person)
    },
    owed(contract) {
      const verdict = refusedStaffIsOwed('code_required', 'in')(contract)
      return verdict === 'in' && contract.access.proof ? 'code_required' : verdict
    },
  },
  'an owner without the second factor that is required': {
    isMember: true,
    known: { actor: { ...owner, factor: 'missing' } },
    strictly: true,
    headers: async () => bearer(await signedIn(app, { roles: ['owner'] })),
    owed: refusedStaffIsOwed('two_factor_required', 'in'),
  },
  'an owner in a foreign network': {
    isMember: true,
    known: { actor: { ...owner, factor: 'proven' }, in_staff_network: false },
    headers: async () => ({
      ...bearer(await signedIn(app, { roles: ['owner'], ...byCode })),
      'x-forwarded-for': '203.0.113.9',
    }),
    owed: refusedStaffIsOwed('network_not_allowed', 'network_not_allowed'),
  },
})
