import { slot } from '#foundation/contract.ts'

/** In the form of the sign-up: the box that accepts the terms. */
export const signUpTerms = slot<object>('legal.sign_up_terms')

/** In a form that spends or brings money: the same, where its customer has not accepted them. */
export const orderTerms = slot<object>('legal.order_terms')
