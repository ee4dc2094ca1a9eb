import { serve, type Served } from '#foundation/server/http/serve.ts'
import * as contract from '#features/hosts/contract.ts'
import * as agents from './agents.ts'
import * as hosts from './hosts.ts'
import { list } from './list.ts'
import { getMetrics } from './metrics.ts'

export const routes: readonly Served[] = [
  serve(contract.listHosts, list),
  serve(contract.createHost, hosts.create),
  serve(contract.getHost, hosts.get),
  serve(contract.updateHost, hosts.update),
  serve(contract.deleteHost, hosts.remove),
  serve(contract.makeAgentToken, agents.makeToken),
  serve(contract.getMetrics, getMetrics),
]
