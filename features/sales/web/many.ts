/** The actions of the one dialog for many existing servers. */
export type Many = 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'
