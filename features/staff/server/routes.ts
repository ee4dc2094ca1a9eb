import { handler as serve, type Handler as Served } from '#foundation/server/http/handler.ts'
import * as contract from '#features/staff/contract.ts'
import * as staff from './staff.ts'

export const routes: readonly Served[] = [
  serve(contract.listReplies, staff.listReplies),
  serve(contract.createReply, staff.createReply),
  serve(contract.updateReply, staff.updateReply),
  serve(contract.deleteReply, staff.deleteReply),
  serve(contract.getCustomer, staff.getCustomer),
  serve(contract.listColleagues, staff.listColleagues),
  serve(contract.tellPresence, staff.publishPresence),
]
