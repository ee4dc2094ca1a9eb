/** The roles of a member of staff, a fixed set. A role has the permissions that name it; `owner` has all permissions. */
export const roles = ['support', 'billing', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** A kind of action of staff: the roles that may do it, and the proof of identity that it needs. */
export type Permission = {
  name: string
  roles: readonly Exclude<Role, 'owner'>[]
  proof?: 'recent'
  /** States that only owners hold the permission. The server refuses to start with a permission that has neither roles nor this mark. */
  ownerOnly?: true
  /** States that only people hold it, and no robot: it confirms what others ask for, gives proofs or rights, or opens an account to view. */
  peopleOnly?: true
}

/** Declares a permission, once, in the contract of the calls that need it. */
export const permission = (
  name: string,
  holders: Permission['roles'],
  more: Pick<Permission, 'proof' | 'ownerOnly' | 'peopleOnly'> = {},
): Permission => ({ name, roles: holders, ...more })

/** The access of a call of staff: `access: staff(giveCreditPermission)`; `account` as in `Access`. */
export const staff = (needed: Permission, account?: 'body' | 'none' | 'any' | 'found') =>
  ({
    who: 'staff',
    permission: needed,
    ...(needed.proof ? { proof: needed.proof } : {}),
    ...(account ? { account } : {}),
  }) as const

export const mayDo = (held: readonly Role[], needed: Permission): boolean =>
  held.some((role) => role === 'owner' || needed.roles.includes(role))

/** The one answer to what no robot does, whatever its roles: what only owners do, and what says so itself. */
export const isForPeople = ({ ownerOnly, peopleOnly }: Permission): boolean =>
  Boolean(ownerOnly ?? peopleOnly)

/** Returns roles in one order, each once, so that equal sets are equal lists. */
export const inOrder = (given: readonly Role[]): Role[] => roles.filter((role) => given.includes(role))
