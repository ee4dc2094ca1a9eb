import { permission } from './roles.ts'

/** The permission to read the audit, on its page and in files. */
export const readAuditPermission = permission('audit.read', ['admin'])
