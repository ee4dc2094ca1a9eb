import type { Handler } from '#foundation/server/http/handler.ts'
import { checkIn } from './check-in.ts'
import { getDocument } from './document.ts'
import { listMachines, releaseMachine, resetReleases } from './machines.ts'
import { listPlans } from './plans.ts'
import { validateLicence } from './validate.ts'
import { listRevocations } from './revocations.ts'
import { listKeys } from './signing-keys.ts'
import { resumeHost, suspendHost } from './suspensions.ts'

export const routes: readonly Handler[] = [
  listPlans,
  listKeys,
  listRevocations,
  validateLicence,
  getDocument,
  checkIn,
  listMachines,
  releaseMachine,
  resetReleases,
  suspendHost,
  resumeHost,
]
