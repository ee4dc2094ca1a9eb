import { slot } from '#foundation/contract.ts'

/** The slot for what else programs of an account use, below its tokens. */
export const apiParts = slot<object>('sharing.api_parts')
