import { slot } from '#foundation/contract.ts'

/** The slot in the form of the sign-up: the box that accepts the terms. */
export const signUpTerms = slot<object>('legal.sign_up_terms')

/** The slot in the forms for orders and top-ups: the box that accepts the terms, for a customer who has not accepted them. */
export const orderTerms = slot<object>('legal.order_terms')
