/** The roles by which an account lets another person act for it. */
export const helperRoles = ['technical', 'billing', 'full'] as const
export type HelperRole = (typeof helperRoles)[number]

/** One kind of action of customers that they may let others do for them, and the roles by which those may. */
export type Capability = { name: string; roles: readonly HelperRole[] }

/** Declared once, in the contract of the calls that need it; without roles only the owner of the account does it. */
export const capability = (name: string, roles: readonly HelperRole[]): Capability => ({ name, roles })

export const mayActAs = (role: HelperRole, needed: Capability): boolean => needed.roles.includes(role)

/** The capability to read amounts and what they were for. */
export const seeMoney = capability('money.see', ['billing', 'full'])
/** The capability to spend the owner's money, and to add to it. */
export const spendMoney = capability('money.spend', ['billing', 'full'])
