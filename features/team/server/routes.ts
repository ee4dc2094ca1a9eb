import type { Handler } from '#foundation/server/http/handler.ts'
import { me } from './team.ts'

export const routes: readonly Handler[] = [me]
