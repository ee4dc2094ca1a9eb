import { client } from './made/client.gen.ts'
import { listHosts } from './made/sdk.gen.ts'

client.setConfig({ baseUrl: process.env.HOSTDESK_URL, auth: process.env.HOSTDESK_TOKEN })
const { data, error } = await listHosts({ query: { limit: 100 } })
if (!data) throw new Error(JSON.stringify(error))
for (const { id, name, ipv4 } of data.items) console.log(id, name, ipv4 ?? '-')
