/** Who acts: the person themselves, a member of staff for them, the command line, the product by itself, or nobody knows who. */
export const actorKinds = ['self', 'staff', 'cli', 'system', 'stranger'] as const
export type ActorKind = (typeof actorKinds)[number]

type Recorded = {
  user_id: string | null
  act: string
  ip: string | null
  detail: Readonly<Record<string, unknown>>
}

/** Tried before anybody had proven who they are. */
const UNPROVEN = new Set([
  'login.refused',
  'password.locked',
  'code.refused',
  'code.locked',
  'passkey.refused',
])

/** The actor of a row of the audit, with the account where it is one. */
export function actorOf({ user_id, act, ip, detail }: Recorded): { kind: ActorKind; id: string | null } {
  const { by } = detail
  if (by === 'command line') return { kind: 'cli', id: null }
  if (typeof by === 'string') return { kind: by === user_id ? 'self' : 'staff', id: by }
  if (UNPROVEN.has(act)) return { kind: 'stranger', id: null }
  return user_id !== null && ip !== null ? { kind: 'self', id: user_id } : { kind: 'system', id: null }
}
