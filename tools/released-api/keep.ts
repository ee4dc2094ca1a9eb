// `node tools/released-api/keep.ts` writes down what the API document promises now, under the version of package.json. A release does so.
import { programVersion } from '#foundation/server/release.ts'
import { presentFacts } from './present.ts'
import { keepRelease } from './released.ts'

keepRelease(programVersion, presentFacts())
