import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/chat/contract.ts'
import * as chat from './chat.ts'

export const routes = [serve(contract.tellTyping, chat.tellTyping)]
