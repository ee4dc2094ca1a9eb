/** The roles of a member of staff. A fixed set: what each may do is the union of permissions that name it, and `owner` may all. */
export const roles = ['support', 'billing', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** One kind of action of staff: who may do it, and how sure the server must be that it is them. */
export type Permission = {
  name: string
  roles: readonly Exclude<Role, 'owner'>[]
  proof?: 'recent'
  /** Says that no other role shall hold it; the server refuses to start with a permission that forgot its roles. */
  ownerOnly?: true
}

/** Declared once, in the contract of the calls that need it. */
export const permission = (
  name: string,
  holders: Permission['roles'],
  more: Pick<Permission, 'proof' | 'ownerOnly'> = {},
): Permission => ({ name, roles: holders, ...more })

/** The access of a call of staff: `access: staff(giveCreditPermission)`. */
export const staff = (needed: Permission) =>
  ({ who: 'staff', permission: needed, ...(needed.proof ? { proof: needed.proof } : {}) }) as const

export const mayDo = (held: readonly Role[], needed: Permission): boolean =>
  held.some((role) => role === 'owner' || needed.roles.includes(role))

/** In one order, each once: equal sets are equal lists. */
export const inOrder = (given: readonly Role[]): Role[] => roles.filter((role) => given.includes(role))
