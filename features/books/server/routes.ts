import type { Handler } from '#foundation/server/http/handler.ts'
import { getVat } from './books.ts'
import { downloadVat } from './vat-csv.ts'

export const routes: readonly Handler[] = [getVat, downloadVat]
