import type { Handler } from '#foundation/server/http/handler.ts'
import { acceptTerms, getTerms } from './legal.ts'

export const routes: readonly Handler[] = [getTerms, acceptTerms]
