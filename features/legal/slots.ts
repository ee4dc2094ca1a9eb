import { slot } from '#foundation/contract.ts'

/** The slot in the form of the sign-up: the box that accepts the terms. */
export const signUpTerms = slot<object>('legal.sign_up_terms')

/** The slot in a form that spends or brings money: the same box, where its customer has not accepted the terms. */
export const orderTerms = slot<object>('legal.order_terms')
