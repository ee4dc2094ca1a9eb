import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/auth/contract.ts'

/** Sign-in by a code from a mail is not offered: a code cannot be requested, so none is ever pending. */
export const requestCode = handler(contract.requestCode, async () => ({ status: 404, body: { status: 404 } }))
export const confirmCode = handler(contract.confirmCode, async () => ({ status: 409, body: { status: 409 } }))
export const resendCode = handler(contract.resendCode, async () => ({ status: 409, body: { status: 409 } }))
