import type { Handler } from '#foundation/server/http/handler.ts'
import { decide, list, withdraw } from './approvals.ts'

export const routes: readonly Handler[] = [list, decide, withdraw]
