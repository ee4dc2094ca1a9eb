import type { Figures } from '#foundation/server/operation/figures.ts'
import { lastBackup } from './queries.ts'

/** Figures of the last backup, whichever process or command made it. */
export const backupFigures: Figures = {
  metrics: {
    hostdesk_backup_last_timestamp_seconds: { help: 'When the last backup was made.' },
    hostdesk_backup_last_rows: { help: 'Rows in the last backup.' },
    hostdesk_backup_last_files: { help: 'Files in the last backup.' },
    hostdesk_backup_last_bytes: { help: 'Size of the last backup.' },
  },
  read: async (db) => {
    const last = await lastBackup(db)
    if (!last) return []
    return [
      { metric: 'hostdesk_backup_last_timestamp_seconds', value: last.made_at.getTime() / 1000 },
      { metric: 'hostdesk_backup_last_rows', value: last.rows },
      { metric: 'hostdesk_backup_last_files', value: last.files },
      { metric: 'hostdesk_backup_last_bytes', value: last.bytes },
    ]
  },
}
