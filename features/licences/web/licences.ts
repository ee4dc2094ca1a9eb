/** The act of staff on the machines of a server, for the dialog on the page of its customer. */
export { resetReleases } from '#features/licences/machines.ts'
/** The machines of a licence, which a licence file for one of them changes. */
export { listMachines } from '#features/licences/machines.ts'
