// `node tools/released-api/keep.ts` writes down what the API document promises now, under the version of package.json. A release does so.
import { routes } from '#app/server/features.ts'
import { programVersion } from '#foundation/server/release.ts'
import { describeApi } from '#app/server/openapi/document.ts'
import { factsOf } from './facts.ts'
import { keepRelease } from './released.ts'

const version = programVersion
const installation = { origin: 'https://account.example.com', version, name: 'Hostdesk' }
const contracts = routes.map((served) => served.contract)
keepRelease(version, factsOf(describeApi(contracts, installation)))
