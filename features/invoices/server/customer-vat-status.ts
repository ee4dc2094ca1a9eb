import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/invoices/contract.ts'
import { latestOverride } from './override-queries.ts'
import { placeStatusOf } from './place-status.ts'
import { databaseTime } from './queries.ts'
import { checksOf } from './vat-evidence-queries.ts'
import { vatStatusOf } from './vat-status.ts'
import { decidedPlace, inForce } from './vat.ts'

const SHOWN = 20

/** Answers `GET /api/staff/customers/{userId}/vat-status/`. */
export const getCustomerStatus = handler(
  contract.getCustomerVatStatus,
  async ({ app, params: { userId } }) => {
    if (!(await findUser(app.db, userId))?.is_active) throw notFound()
    const status = await vatStatusOf(app, app.db, userId)
    const override = await latestOverride(app.db, userId)
    const checks = await checksOf(app.db, userId, SHOWN)
    const names = await displayNames(app, app.db, [override?.by ?? null])
    const at = await databaseTime(app.db)
    const place = await placeStatusOf(app, app.db, userId)
    return {
      status: 200,
      body: {
        ...status,
        override: override
          ? {
              treatment: override.treatment,
              vat_id: override.vat_id,
              reason: override.reason,
              by_name: override.by === null ? null : names.of(override.by).name || null,
              at: override.at.toISOString(),
              valid_until: override.valid_until?.toISOString() ?? null,
              in_force:
                (inForce(override, status.vat_id, at) ?? decidedPlace(override, place.place, at)) !== null,
            }
          : null,
        place,
        checks: checks.map(({ vat_id, source, verdict, asked_at, consultation_number, name, address }) => ({
          vat_id,
          source,
          verdict,
          asked_at: asked_at.toISOString(),
          consultation_number,
          name,
          address,
        })),
      },
    }
  },
)
