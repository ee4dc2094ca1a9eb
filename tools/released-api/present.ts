import { published, routes } from '#app/server/features.ts'
import { describeApi } from '#app/server/openapi/document.ts'
import { programVersion as version } from '#foundation/server/release.ts'
import { factsOf } from './facts.ts'

const contracts = routes.map((served) => served.contract)
const installation = { origin: 'https://account.example.com', version, name: 'Hostdesk' }

/** Returns what the API document promises now, with calls and account events: the same facts for a release and for the test against it. */
export const presentFacts = (): Set<string> => factsOf(describeApi(contracts, installation, false, published))
