import type { Handler } from '#foundation/server/http/handler.ts'
import { accept, decline } from './answers.ts'
import { update } from './changes.ts'
import { remove } from './endings.ts'
import { create } from './offers.ts'
import { get, list } from './payers.ts'

export const routes: readonly Handler[] = [list, get, create, update, remove, accept, decline]
