import type { Handler } from '#foundation/server/http/handler.ts'
import { getShop } from './shop.ts'

export const routes: readonly Handler[] = [getShop]
