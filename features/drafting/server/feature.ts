import type { Handler } from '#foundation/server/http/handler.ts'
import { draftText, getDrafting } from './drafting.ts'

export const routes: readonly Handler[] = [getDrafting, draftText]
