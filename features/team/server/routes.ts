import type { Handler } from '#foundation/server/http/handler.ts'
import { giveRolesTo, listMembers } from './members.ts'
import { me } from './team.ts'

export const routes: readonly Handler[] = [me, listMembers, giveRolesTo]
