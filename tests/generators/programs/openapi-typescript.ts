import createClient from 'openapi-fetch'
import type { paths } from './made/types.ts'

const client = createClient<paths>({
  baseUrl: process.env.HOSTDESK_URL,
  headers: { authorization: `Bearer ${process.env.HOSTDESK_TOKEN}` },
})
const { data, error } = await client.GET('/api/hosts/', { params: { query: { limit: 100 } } })
if (!data) throw new Error(JSON.stringify(error))
for (const { id, name, ipv4 } of data.items) console.log(id, name, ipv4 ?? '-')
