/** The roles by which an account lets another person act for it. `read` sees what `full` sees, and changes nothing (`assertPolicies`). */
export const helperRoles = ['technical', 'billing', 'full', 'read'] as const
export type HelperRole = (typeof helperRoles)[number]

/** A kind of action that the owner of an account may let helpers do, and the roles of the helpers who may do it. */
export type Capability = { name: string; roles: readonly HelperRole[] }

/** Declares a capability, once, in the contract of the calls that need it. Without roles only the owner of the account has it. */
export const capability = (name: string, roles: readonly HelperRole[]): Capability => ({ name, roles })

export const mayActAs = (role: HelperRole, needed: Capability): boolean => needed.roles.includes(role)

/** The capability to read amounts and what they were for. */
export const seeMoney = capability('money.see', ['billing', 'full', 'read'])
/** The capability to spend the owner's money, and to add to it. */
export const spendMoney = capability('money.spend', ['billing', 'full'])
