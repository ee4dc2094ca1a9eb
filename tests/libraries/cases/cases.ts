import type { VectorCase } from './case.ts'
import { ofTime, ofNext } from './times.ts'
import { ofMachines, ofSeats, ofStatus, ofEntitlements } from './machines.ts'
import { ofForgery } from './forgeries.ts'
import { ofText } from './texts.ts'
import { ofClaims } from './claims.ts'
import { ofLists } from './lists.ts'

export function vectorCases(): VectorCase[] {
  const cases = [
    ...ofTime(),
    ...ofNext(),
    ...ofMachines(),
    ...ofSeats(),
    ...ofStatus(),
    ...ofEntitlements(),
    ...ofForgery(),
    ...ofText(),
    ...ofClaims(),
    ...ofLists(),
  ]
  if (new Set(cases.map(({ name }) => name)).size !== cases.length) throw new Error('two cases have one name')
  return cases
}
