import type { ReplyOf } from '#foundation/contract.ts'
import type * as contract from '#features/auth/contract.ts'

/** Signing in by a code from a mail is off: nothing can be asked for, so nothing is ever pending. */
export const requestCode = async (): Promise<ReplyOf<typeof contract.requestCode>> => ({
  status: 404,
  body: { status: 404 },
})

export const confirmCode = async (): Promise<ReplyOf<typeof contract.confirmCode>> => ({
  status: 409,
  body: { status: 409 },
})

export const resendCode = async (): Promise<ReplyOf<typeof contract.resendCode>> => ({
  status: 409,
  body: { status: 409 },
})
